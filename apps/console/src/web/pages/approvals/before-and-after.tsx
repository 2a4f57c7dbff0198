import { useTexts } from '../../texts/texts.ts';
import { approvalTexts } from './approval-texts.ts';
import styles from './approvals.module.css';
import { type Difference, differencesOf } from './differences.ts';

type Entry = Readonly<Record<string, unknown>>;

/** A record before and after a change, side by side; what stays is folded. */
export function BeforeAndAfter({ before, after }: { readonly before: Entry | null; readonly after: Entry }) {
  const t = useTexts(approvalTexts);
  const rows = differencesOf(before, after);
  const staying = rows.filter(({ changes }) => !changes);
  return (
    <>
      <Comparison rows={rows.filter(({ changes }) => changes)} isNew={before === null} />
      {staying.length > 0 && (
        <details>
          <summary>{t.all(staying.length)}</summary>
          <Comparison rows={staying} isNew={false} />
        </details>
      )}
    </>
  );
}

function Comparison({ rows, isNew }: { readonly rows: readonly Difference[]; readonly isNew: boolean }) {
  const t = useTexts(approvalTexts);
  return (
    <table className={styles.comparison}>
      <thead>
        <tr>
          <th scope="col">{t.field}</th>
          <th scope="col">{t.before}</th>
          <th scope="col">{t.after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ field, before, after, changes }) => (
          <tr key={field} className={changes ? styles.changes : undefined}>
            <th scope="row">{field}</th>
            <td data-label={t.before} data-empty={before === undefined ? '' : undefined}>
              {before ?? (isNew ? t.made : '–')}
            </td>
            <td data-label={t.after}>{after ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
