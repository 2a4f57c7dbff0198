import { Section } from '../../parts/page.tsx';
import type { SearchResultRow } from '../../parts/search-page.tsx';
import { useDates } from '../../texts/dates.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Outcome, outcomes, sumOutcomes } from './outcomes.ts';
import { reportTexts } from './report-texts.ts';
import styles from './reports.module.css';

const maxBars = 12;

/**
 * Plots the outcomes of each partner's requests as stacked bars, in proportion to its registrations. The table below
 * shows the same numbers.
 */
export function OutcomePlot({ rows }: { readonly rows: readonly SearchResultRow<'reports.usage'>[] }) {
  const t = useTexts(reportTexts);
  const { number } = useDates();
  const bars = rows
    .map((row) => ({ id: row.partnerId, name: row.partnerName, ...sumOutcomes(row) }))
    .toSorted((left, right) => right.registered - left.registered)
    .slice(0, maxBars);
  const maxRegistered = Math.max(1, ...bars.map(({ registered }) => registered));
  return (
    <Section title={t.outcomes}>
      <Legend />
      <ul className={styles.bars}>
        {bars.map(({ id, name, registered, parts }) => (
          <li key={id}>
            <span className={styles.name}>{name}</span>
            <PartsBar
              parts={parts}
              share={registered / maxRegistered}
              label={`${name}: ${outcomes.map((part) => `${t[part]} ${number(parts[part])}`).join(', ')}`}
            />
            <span className={styles.value}>{number(registered)}</span>
          </li>
        ))}
      </ul>
      {rows.length > maxBars && <p className={styles.note}>{t.mostBars(number(maxBars))}</p>}
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
  /** Share of the full width. */
  readonly share: number;
  readonly label: string;
}

const width = 1_000;
const gap = 3;

function PartsBar({ parts, share, label }: PartsBarProps) {
  const t = useTexts(reportTexts);
  const { number } = useDates();
  const total = Math.max(
    1,
    outcomes.reduce((sum, outcome) => sum + parts[outcome], 0),
  );
  const ends = outcomes.map((_, index) =>
    outcomes.slice(0, index + 1).reduce((sum, outcome) => sum + parts[outcome], 0),
  );
  const toWidth = (count: number) => (width * share * count) / total;
  return (
    <svg
      className={styles.bar}
      viewBox={`0 0 ${width} 10`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {outcomes.map((outcome, index) => {
        const from = toWidth(ends[index - 1] ?? 0);
        const size = toWidth(parts[outcome]);
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
