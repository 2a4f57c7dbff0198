import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import type { FaultKind, Verdict } from '../file-checks/verdict.ts';
import type { Observation } from '../request/request.entity.ts';

export interface FileFinding {
  /** Field of the file; null: the list `evidences`. */
  readonly field: string | null;
  readonly position: number;
  readonly verdict: Verdict;
}

export interface FileFault {
  readonly code: ErrorCode;
  readonly text: ErrorText;
  /** Fields to send again, if the code alone does not say so. */
  readonly fields: readonly string[];
}

type Consequence = 'refused' | 'observed';

/**
 * Consequences of a verdict. Kinds of evidence are free and partners send odd things: only what harms is
 * refused. An attachment is asked for by name, because a reviewer has to read it.
 */
const consequences: Readonly<
  Record<FaultKind | 'doubtful', { readonly evidence: Consequence; readonly attachment: Consequence }>
> = {
  doubtful: { evidence: 'observed', attachment: 'observed' },
  unreadable: { evidence: 'observed', attachment: 'refused' },
  'too-many-pixels': { evidence: 'refused', attachment: 'refused' },
  'too-many-pages': { evidence: 'refused', attachment: 'refused' },
  encrypted: { evidence: 'refused', attachment: 'refused' },
  'active-content': { evidence: 'refused', attachment: 'refused' },
  bomb: { evidence: 'refused', attachment: 'refused' },
  'check-failed': { evidence: 'refused', attachment: 'refused' },
  damaged: { evidence: 'refused', attachment: 'refused' },
};

const warningCode = 'EVIDENCE_UNREADABLE';
const maxMessageLength = 500;

interface FindingText {
  readonly field: string | null;
  readonly text: ErrorText;
}

function listTexts(findings: readonly FileFinding[], consequence: Consequence): FindingText[] {
  return findings.flatMap(({ field, position, verdict }) => {
    if (verdict.kind === 'ok') return [];
    const where = field === null ? 'evidence' : 'attachment';
    if (consequences[verdict.kind][where] !== consequence) return [];
    return [{ field, text: createFieldText(field ?? `evidences[${position}].evidenceFile`, verdict.text) }];
  });
}

/** Finds the one fault of a request's files, which names them all; null if none is refused. */
export function judgeFiles(findings: readonly FileFinding[]): FileFault | null {
  const refused = listTexts(findings, 'refused');
  if (refused.length === 0) return null;
  const text = createText('request.sentences', { texts: limitLength(refused.map((fault) => fault.text)) });
  const attachments = refused.flatMap(({ field }) => field ?? []);
  // The family of the request knows which evidences may be corrected.
  if (attachments.length === 0) return { code: 'EVIDENCE_INVALID', text, fields: [] };
  const others = refused.length > attachments.length ? ['evidences'] : [];
  return { code: 'DOCUMENT_ILLEGIBLE', text, fields: [...attachments, ...others] };
}

/** Returns the first texts that fit into one message. */
function limitLength(texts: readonly ErrorText[]): readonly ErrorText[] {
  let length = 0;
  return texts.filter((text, index) => {
    length += renderEnglish(text).length + 2;
    return index === 0 || length <= maxMessageLength;
  });
}

/**
 * Returns the record's observations with the present findings on the files. Those of an earlier check are
 * dropped.
 */
export function updateFileObservations(
  findings: readonly FileFinding[],
  earlier: readonly Observation[],
  now: Date,
): Observation[] {
  return [
    ...earlier.filter(({ code }) => code !== warningCode),
    ...listTexts(findings, 'observed').map(
      ({ text }): Observation => ({
        type: 'WARNING',
        code: warningCode,
        message: renderEnglish(text),
        text,
        createdDate: now.toISOString(),
      }),
    ),
  ];
}
