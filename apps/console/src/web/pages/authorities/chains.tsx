import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { usePermission } from '../../client/session.tsx';
import { callProcedure, type OperatorOutput } from '../../client/trpc.ts';
import { auditServices } from '../../data/inputs.data.ts';
import { Button } from '../../parts/button.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Notice } from '../../parts/query-result.tsx';
import { useDates } from '../../texts/dates.ts';
import { useFailureText } from '../../texts/failures.ts';
import { useLabelTexts } from '../../texts/labels.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import styles from './authorities.module.css';

const texts = createBilingual({
  en: {
    title: 'Audit chains',
    about:
      'Every entry of a log names the one before it, and checkpoints are signed: what was changed or taken away shows here.',
    verify: 'Verify',
    working: (rows: string) => `${rows} entries so far…`,
    intact: 'Nothing is missing, nothing was changed.',
    broken: (count: number) => `${count} findings`,
    rows: 'Entries looked at',
    checkpoints: 'Checkpoints',
    end: 'Last place of the chain',
    unchained: 'Not in the chain yet',
  },
  es: {
    title: 'Cadenas de auditoría',
    about:
      'Cada entrada de un registro nombra a la anterior, y los puntos de control van firmados: lo cambiado o quitado aparece aquí.',
    verify: 'Verificar',
    working: (rows: string) => `${rows} entradas hasta ahora…`,
    intact: 'No falta nada y nada cambió.',
    broken: (count: number) => `${count} hallazgos`,
    rows: 'Entradas revisadas',
    checkpoints: 'Puntos de control',
    end: 'Último lugar de la cadena',
    unchained: 'Aún fuera de la cadena',
  },
});

type Verified = OperatorOutput<'audit.verify'>;
type Service = Verified['service'];

/** Verifies the audit logs of all services from beginning to end. */
export function Chains() {
  const t = useTexts(texts);
  if (!usePermission()('audit.verify')) return null;
  return (
    <Section title={t.title}>
      <p className={styles.about}>{t.about}</p>
      <div className={styles.cards}>
        {auditServices.map((service) => (
          <Chain key={service} service={service as Service} />
        ))}
      </div>
    </Section>
  );
}

function Chain({ service }: { readonly service: Service }) {
  const t = useTexts(texts);
  const getLabelText = useLabelTexts();
  const failureText = useFailureText();
  const { number } = useDates();
  const [verifiedRows, setVerifiedRows] = useState(0);
  const verification = useMutation({ mutationFn: () => verify(service, setVerifiedRows) });
  const { data, isPending, isError, error } = verification;
  return (
    <article className={styles.card}>
      <div className={styles.head}>
        <h3>{getLabelText(service)}</h3>
        <Button
          small
          aria-disabled={isPending}
          aria-label={`${t.verify}: ${getLabelText(service)}`}
          onClick={() => verification.mutate()}
        >
          {t.verify}
        </Button>
      </div>
      {isPending && <p role="status">{t.working(number(verifiedRows))}</p>}
      {isError && <Notice tone="bad">{failureText(error)}</Notice>}
      {data !== undefined && <Result verified={data} />}
    </article>
  );
}

function Result({ verified }: { readonly verified: Verified }) {
  const t = useTexts(texts);
  const { number } = useDates();
  const { findings, rows, checkpoints, end, unchained } = verified;
  return (
    <>
      <Notice tone={findings.length === 0 ? 'good' : 'bad'}>
        {findings.length === 0 ? t.intact : t.broken(findings.length)}
        <ul className={styles.found}>
          {findings.map(({ kind, sequence, text }) => (
            <li key={`${kind} ${sequence} ${text}`}>{text}</li>
          ))}
        </ul>
      </Notice>
      <Facts
        rows={[
          [t.rows, number(rows)],
          [t.checkpoints, number(checkpoints)],
          [t.end, number(end)],
          [t.unchained, number(unchained)],
        ]}
      />
    </>
  );
}

/** Verifies a chain in pieces and merges their findings. */
async function verify(service: Service, onRows: (rows: number) => void): Promise<Verified> {
  let sum: Verified | undefined;
  for (let cursor: string | undefined; ; ) {
    const piece = await callProcedure('audit.verify', { service, ...(cursor !== undefined && { cursor }) });
    sum = {
      ...piece,
      rows: (sum?.rows ?? 0) + piece.rows,
      checkpoints: (sum?.checkpoints ?? 0) + piece.checkpoints,
      findings: [...(sum?.findings ?? []), ...piece.findings],
    };
    onRows(sum.rows);
    if (piece.nextCursor === null) return sum;
    cursor = piece.nextCursor;
  }
}
