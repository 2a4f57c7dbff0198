import { Section } from '../../parts/page.tsx';
import type { RowOf } from '../../parts/search-page.tsx';
import { useDates } from '../../texts/dates.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Outcome, outcomes, outcomesOf } from './outcomes.ts';
import { reportTexts } from './report-texts.ts';
import styles from './reports.module.css';

const mostBars = 12;

/** What became of each partner's requests: one bar of parts, as long as it registered beside the others. The table below says the same in numbers. */
export function OutcomePlot({ rows }: { readonly rows: readonly RowOf<'reports.usage'>[] }) {
  const t = useTexts(reportTexts);
  const { number } = useDates();
  const bars = rows
    .map((row) => ({ id: row.partnerId, name: row.partnerName, ...outcomesOf(row) }))
    .toSorted((one, other) => other.registered - one.registered)
    .slice(0, mostBars);
  const most = Math.max(1, ...bars.map(({ registered }) => registered));
  return (
    <Section title={t.outcomes}>
      <Legend />
      <ul className={styles.bars}>
        {bars.map(({ id, name, registered, parts }) => (
          <li key={id}>
            <span className={styles.name}>{name}</span>
            <PartsBar
              parts={parts}
              share={registered / most}
              label={`${name}: ${outcomes.map((part) => `${t[part]} ${number(parts[part])}`).join(', ')}`}
            />
            <span className={styles.value}>{number(registered)}</span>
          </li>
        ))}
      </ul>
      {rows.length > mostBars && <p className={styles.note}>{t.mostBars(number(mostBars))}</p>}
    </Section>
  );
}

export function Legend() {
  const t = useTexts(reportTexts);
  return (
    <ul className={styles.legend} aria-label={t.legend}>
      {outcomes.map((outcome) => (
        <li key={outcome} className={styles[outcome]}>
          {t[outcome]}
        </li>
      ))}
    </ul>
  );
}

interface PartsBarProps {
  readonly parts: Readonly<Record<Outcome, number>>;
  /** Of the whole width. */
  readonly share: number;
  readonly label: string;
}

const width = 1_000;
const gap = 3;

function PartsBar({ parts, share, label }: PartsBarProps) {
  const t = useTexts(reportTexts);
  const { number } = useDates();
  const all = Math.max(
    1,
    outcomes.reduce((sum, outcome) => sum + parts[outcome], 0),
  );
  const ends = outcomes.map((_, index) =>
    outcomes.slice(0, index + 1).reduce((sum, outcome) => sum + parts[outcome], 0),
  );
  const at = (count: number) => (width * share * count) / all;
  return (
    <svg
      className={styles.bar}
      viewBox={`0 0 ${width} 10`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {outcomes.map((outcome, index) => {
        const from = at(ends[index - 1] ?? 0);
        const size = at(parts[outcome]);
        if (size === 0) return null;
        return (
          <rect
            key={outcome}
            className={styles[outcome]}
            x={from}
            y={0}
            width={Math.max(2, size - gap)}
            height={10}
          >
            <title>{`${t[outcome]}: ${number(parts[outcome])}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
