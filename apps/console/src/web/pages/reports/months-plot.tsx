import { useQueries } from '@tanstack/react-query';
import { createQuery } from '../../client/queries.ts';
import { Section } from '../../parts/page.tsx';
import { useDates } from '../../texts/dates.ts';
import { useTexts } from '../../texts/texts.ts';
import { Legend } from './outcome-plot.tsx';
import { type Outcome, outcomes, sumOutcomes } from './outcomes.ts';
import { reportTexts } from './report-texts.ts';
import styles from './reports.module.css';
import { useMonths } from './use-report-filters.ts';

const monthsShown = 12;
const height = 120;
const step = 20;

interface Bar {
  readonly month: string;
  readonly label: string;
  readonly registered: number;
  readonly parts: Readonly<Record<Outcome, number>>;
}

/** Plots one partner's months up to the current one, as columns. */
export function MonthsPlot({ partnerId }: { readonly partnerId: string }) {
  const t = useTexts(reportTexts);
  const { number } = useDates();
  const months = useMonths(monthsShown).toReversed();
  const answers = useQueries({
    queries: months.map(({ value }) => createQuery('reports.usage', { month: value, partnerId })),
  });
  const isLoading = answers.some(({ data, isError }) => data === undefined && !isError);
  const bars = months.map(({ value, label }, index): Bar => {
    const row = answers[index]?.data?.items[0];
    return { month: value, label, ...(row ? sumOutcomes(row) : sumOutcomes({ byFamily: {} as never })) };
  });
  const maxCount = Math.max(1, ...bars.map(({ registered }) => registered));
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <Section title={t.months}>
      <Legend />
      <svg
        className={styles.columns}
        viewBox={`0 0 ${monthsShown * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-busy={isLoading}
        aria-label={`${t.months}: ${bars.map(({ label, registered }) => `${label} ${number(registered)}`).join(', ')}`}
      >
        {bars.map((bar, index) => (
          <Column key={bar.month} bar={bar} x={index * step + 2} maxCount={maxCount} />
        ))}
      </svg>
      <p className={styles.ends}>
        <span>{first?.label}</span>
        <span>{t.mostRegistered(number(Math.max(...bars.map(({ registered }) => registered))))}</span>
        <span>{last?.label}</span>
      </p>
    </Section>
  );
}

function Column({ bar, x, maxCount }: { readonly bar: Bar; readonly x: number; readonly maxCount: number }) {
  const t = useTexts(reportTexts);
  const { number } = useDates();
  const toHeight = (count: number) => (height * count) / maxCount;
  let top = height;
  return (
    <g>
      <title>{`${bar.label}: ${t.registered} ${number(bar.registered)}, ${outcomes.map((part) => `${t[part]} ${number(bar.parts[part])}`).join(', ')}`}</title>
      {outcomes.map((outcome) => {
        const size = toHeight(bar.parts[outcome]);
        top -= size;
        return size === 0 ? null : (
          <rect
            key={outcome}
            className={styles[outcome]}
            x={x}
            y={top}
            width={step - 4}
            height={Math.max(1, size - 1)}
          />
        );
      })}
    </g>
  );
}
