import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePermission } from '../../client/session.tsx';
import { callProcedure } from '../../client/trpc.ts';
import { useKeys } from '../../parts/keys.tsx';
import { Section } from '../../parts/page.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { useFieldNames } from '../../texts/field-names.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './case.module.css';
import type { Case } from './case.ts';
import { caseTexts } from './case-texts.ts';
import { DocumentStage } from './document-stage.tsx';

type Evidence = NonNullable<Case['evidence']>[number];

/** Slightly less than the five minutes for which a link is valid. */
const linkMs = 280_000;

export interface DocumentsProps {
  readonly requestId: string;
  readonly evidence: Case['evidence'];
}

/** Shows the files of a request next to its data, one at a time, also by number keys. */
export function Documents({ requestId, evidence }: DocumentsProps) {
  const t = useTexts(caseTexts);
  const may = usePermission();
  const fieldName = useFieldNames();
  const [chosen, setChosen] = useState<string>();
  const files = evidence ?? [];
  const nameOf = ({ field, evidenceType }: Evidence) => fieldName(evidenceType ?? field ?? 'evidences');
  useKeys(
    files.slice(0, 9).map((file, index) => ({
      keys: String(index + 1),
      label: nameOf(file),
      run: () => setChosen(file.evidenceId),
    })),
  );
  if (!may('reviews.evidence') || evidence === null) return null;
  const shown = files.find(({ evidenceId }) => evidenceId === chosen);
  return (
    <div className={styles.documents}>
      <Section title={t.documents}>
        {files.length === 0 && <p>{t.noDocuments}</p>}
        {files.length > 0 && (
          <div className={styles.tabs} role="tablist" aria-label={t.documents}>
            {files.map((file, index) => (
              <button
                key={file.evidenceId}
                type="button"
                role="tab"
                aria-selected={file.evidenceId === chosen}
                className={styles.tab}
                onClick={() => setChosen(file.evidenceId)}
              >
                {nameOf(file)} <kbd>{index + 1}</kbd>
              </button>
            ))}
          </div>
        )}
        {files.length > 0 && shown === undefined && <p>{t.openDocument}</p>}
        {shown !== undefined && (
          <OpenDocument key={shown.evidenceId} requestId={requestId} evidence={shown} name={nameOf(shown)} />
        )}
      </Section>
    </div>
  );
}

interface OpenDocumentProps {
  readonly requestId: string;
  readonly evidence: Evidence;
  readonly name: string;
}

function OpenDocument({ requestId, evidence, name }: OpenDocumentProps) {
  const t = useTexts(caseTexts);
  const { evidenceId, mediaType, validatorUrl } = evidence;
  const link = useQuery({
    queryKey: ['reviews.evidence', evidenceId],
    // Path only: the console serves it under its own origin.
    queryFn: async ({ signal }) => {
      const { url } = await callProcedure('reviews.evidence', { requestId, evidenceId }, signal);
      return new URL(url).pathname;
    },
    enabled: mediaType !== null,
    staleTime: linkMs,
    gcTime: linkMs,
  });
  if (mediaType === null) {
    return (
      <p>
        {t.link}: <code>{validatorUrl}</code>
      </p>
    );
  }
  return (
    <QueryResult query={link}>
      {(path) => <DocumentStage path={path} mediaType={mediaType} name={name} />}
    </QueryResult>
  );
}
