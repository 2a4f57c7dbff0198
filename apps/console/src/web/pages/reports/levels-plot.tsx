import { Section } from '../../parts/page.tsx';
import type { SearchResultRow } from '../../parts/search-page.tsx';
import { useTexts } from '../../texts/texts.ts';
import { reportTexts } from './report-texts.ts';
import styles from './reports.module.css';
import { useDurationFormat } from './use-duration-format.ts';

const maxBars = 12;
const ticks = [1, 60, 3_600, 86_400, 864_000] as const;

/**
 * Plots the time from registration to certificate or refusal, by partner, from the median to the 95th percentile. The
 * scale is logarithmic, because some take seconds and others wait days for a reviewer.
 */
export function LevelsPlot({ rows }: { readonly rows: readonly SearchResultRow<'reports.serviceLevels'>[] }) {
  const t = useTexts(reportTexts);
  const span = useDurationFormat();
  const bars = rows
    .flatMap(({ partnerId, partnerName, outcomeP50Seconds: median, outcomeP95Seconds: p95 }) =>
      median === null || p95 === null ? [] : [{ id: partnerId, name: partnerName, median, p95 }],
    )
    .toSorted((left, right) => right.p95 - left.p95)
    .slice(0, maxBars);
  if (bars.length === 0) return null;
  const maxSeconds = Math.max(...bars.map(({ p95 }) => p95));
  const visibleTicks = ticks.filter((_tick, index) => index < 2 || (ticks[index - 1] ?? 0) < maxSeconds);
  const end = visibleTicks.at(-1) ?? 60;
  const toPercent = (seconds: number) => (100 * Math.log(Math.max(1, seconds))) / Math.log(end);
  return (
    <Section title={t.toOutcome}>
      <p className={styles.note}>{t.toOutcomeAbout}</p>
      <ul className={styles.bars}>
        {bars.map(({ id, name, median, p95 }) => (
          <li key={id}>
            <span className={styles.name}>{name}</span>
            <svg className={styles.range} role="img" aria-label={`${name}: ${span(median)}, ${span(p95)}`}>
              <title>{`${span(median)} · ${span(p95)}`}</title>
              {visibleTicks.map((tick) => (
                <line key={tick} x1={`${toPercent(tick)}%`} x2={`${toPercent(tick)}%`} y1="0" y2="100%" />
              ))}
              <rect
                x={`${toPercent(median)}%`}
                y="35%"
                width={`${Math.max(0.5, toPercent(p95) - toPercent(median))}%`}
                height="30%"
              />
              <circle cx={`${toPercent(median)}%`} cy="50%" r="5" />
            </svg>
            <span className={styles.value}>{`${span(median)} · ${span(p95)}`}</span>
          </li>
        ))}
        <li aria-hidden="true">
          <span className={styles.name} />
          <span className={styles.ticks}>
            {visibleTicks.map((tick) => (
              <span key={tick} style={{ left: `${toPercent(tick)}%` }}>
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
