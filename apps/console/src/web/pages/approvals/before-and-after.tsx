import { useTexts } from '../../texts/texts.ts';
import { approvalTexts } from './approval-texts.ts';
import styles from './approvals.module.css';
import { type Difference, listDifferences } from './differences.ts';

type Entry = Readonly<Record<string, unknown>>;

/**
 * Shows a record before and after a change, side by side, with the unchanged fields expanded below: they are signed
 * too.
 */
export function BeforeAndAfter({ before, after }: { readonly before: Entry | null; readonly after: Entry }) {
  const t = useTexts(approvalTexts);
  const rows = listDifferences(before, after);
  const unchanged = rows.filter(({ changes }) => !changes);
  return (
    <>
      <Comparison rows={rows.filter(({ changes }) => changes)} isNew={before === null} />
      {unchanged.length > 0 && (
        <details open>
          <summary>{t.all(unchanged.length)}</summary>
          <Comparison rows={unchanged} isNew={false} />
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
              {before === undefined ? isNew ? t.made : '–' : <Value text={before} />}
            </td>
            <td data-label={t.after}>{after === undefined ? '–' : <Value text={after} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shows a complete value with its line breaks; a long one scrolls. */
function Value({ text }: { readonly text: string }) {
  if (text.length <= maxUnscrolled) return <span className={styles.value}>{text}</span>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section className={styles.scrolled} tabIndex={0} aria-label={text.slice(0, 40)}>
      {text}
    </section>
  );
}

const maxUnscrolled = 2_000;
