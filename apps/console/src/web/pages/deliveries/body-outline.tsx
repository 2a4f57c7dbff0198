import type { OperatorOutput } from '../../client/trpc.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Section } from '../../parts/page.tsx';
import { useDates } from '../../texts/dates.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './deliveries.module.css';
import { deliveryTexts } from './delivery-texts.ts';

type Outline = OperatorOutput<'deliveries.get'>['outline'];

/** Lists the fields of a webhook's body without their values. */
export function BodyOutline({ outline }: { readonly outline: Outline }) {
  const t = useTexts(deliveryTexts);
  const { number } = useDates();
  if (outline === null) return null;
  const whole = { name: t.whole, kind: 'text', bytes: outline.bytes, sha256: outline.sha256 } as const;
  return (
    <Section title={t.sent}>
      <p className={styles.about}>{t.sentText}</p>
      <DataTable
        caption={t.sent}
        columns={[
          {
            id: 'field',
            label: t.field,
            cell: ({ name }) => (name === t.whole ? name : <code>{name}</code>),
          },
          { id: 'kind', label: t.kind, cell: ({ name, kind }) => (name === t.whole ? 'JSON' : t[kind]) },
          {
            id: 'size',
            label: t.size,
            atEnd: true,
            cell: ({ bytes }) => (bytes === null ? '–' : t.bytes(number(bytes))),
          },
          {
            id: 'digest',
            label: t.digest,
            cell: ({ sha256 }) => (sha256 === null ? '–' : <code className={styles.digest}>{sha256}</code>),
          },
        ]}
        rows={[...outline.fields, whole]}
        rowId={({ name }) => name}
      />
    </Section>
  );
}
