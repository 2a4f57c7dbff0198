import { Section } from '../../parts/page.tsx';
import type { RowOf } from '../../parts/search-page.tsx';
import { useTexts } from '../../texts/texts.ts';
import { reportTexts } from './report-texts.ts';
import styles from './reports.module.css';
import { useSpan } from './use-span.ts';

const mostBars = 12;
const ticks = [1, 60, 3_600, 86_400, 864_000] as const;

/**
 * From registration to certificate or refusal, by partner: a line from the middle one to what one in twenty exceeds, on a
 * scale by powers, because some take seconds and others wait for a person for days.
 */
export function LevelsPlot({ rows }: { readonly rows: readonly RowOf<'reports.serviceLevels'>[] }) {
  const t = useTexts(reportTexts);
  const span = useSpan();
  const bars = rows
    .flatMap(({ partnerId, partnerName, outcomeP50Seconds: middle, outcomeP95Seconds: late }) =>
      middle === null || late === null ? [] : [{ id: partnerId, name: partnerName, middle, late }],
    )
    .toSorted((one, other) => other.late - one.late)
    .slice(0, mostBars);
  if (bars.length === 0) return null;
  const longest = Math.max(...bars.map(({ late }) => late));
  const shown = ticks.filter((_tick, index) => index < 2 || (ticks[index - 1] ?? 0) < longest);
  const end = shown.at(-1) ?? 60;
  const at = (seconds: number) => (100 * Math.log(Math.max(1, seconds))) / Math.log(end);
  return (
    <Section title={t.toOutcome}>
      <p className={styles.note}>{t.toOutcomeAbout}</p>
      <ul className={styles.bars}>
        {bars.map(({ id, name, middle, late }) => (
          <li key={id}>
            <span className={styles.name}>{name}</span>
            <svg className={styles.range} role="img" aria-label={`${name}: ${span(middle)}, ${span(late)}`}>
              <title>{`${span(middle)} · ${span(late)}`}</title>
              {shown.map((tick) => (
                <line key={tick} x1={`${at(tick)}%`} x2={`${at(tick)}%`} y1="0" y2="100%" />
              ))}
              <rect
                x={`${at(middle)}%`}
                y="35%"
                width={`${Math.max(0.5, at(late) - at(middle))}%`}
                height="30%"
              />
              <circle cx={`${at(middle)}%`} cy="50%" r="5" />
            </svg>
            <span className={styles.value}>{`${span(middle)} · ${span(late)}`}</span>
          </li>
        ))}
        <li aria-hidden="true">
          <span className={styles.name} />
          <span className={styles.ticks}>
            {shown.map((tick) => (
              <span key={tick} style={{ left: `${at(tick)}%` }}>
                {span(tick)}
              </span>
            ))}
          </span>
          <span className={styles.value} />
        </li>
      </ul>
    </Section>
  );
}
