import type { OperatorOutput } from '../../client/trpc.ts';
import { Section } from '../../parts/page.tsx';
import { useDates } from '../../texts/dates.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import styles from './overview.module.css';

const texts = createBilingual({
  en: {
    day: 'Registered in the last 24 hours',
    month: 'Registered in the last 30 days',
    most: (count: string) => `at most ${count}`,
    all: (count: string) => `${count} in all`,
  },
  es: {
    day: 'Registradas en las últimas 24 horas',
    month: 'Registradas en los últimos 30 días',
    most: (count: string) => `como máximo ${count}`,
    all: (count: string) => `${count} en total`,
  },
});

type Slots = OperatorOutput<'overview'>['trend']['days'];

/** Shows two small plots with one bar for each hour or day. */
export function Trends({ trend }: { readonly trend: OperatorOutput<'overview'>['trend'] }) {
  const t = useTexts(texts);
  const dates = useDates();
  return (
    <div className={styles.trends}>
      <Trend title={t.day} slots={trend.hours} formatSlot={dates.short} />
      <Trend title={t.month} slots={trend.days} formatSlot={dates.day} />
    </div>
  );
}

interface TrendProps {
  readonly title: string;
  readonly slots: Slots;
  formatSlot(at: string): string;
}

const height = 60;
const step = 10;

function Trend({ title, slots, formatSlot: nameOf }: TrendProps) {
  const t = useTexts(texts);
  const dates = useDates();
  const counts = slots.map(({ registered }) => registered);
  const maxCount = Math.max(1, ...counts);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const summary = `${t.all(dates.number(total))} · ${t.most(dates.number(Math.max(0, ...counts)))}`;
  const [first, last] = [slots[0], slots.at(-1)];
  return (
    <Section title={title}>
      <svg
        className={styles.plot}
        viewBox={`0 0 ${slots.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${summary}`}
      >
        {slots.map(({ from, registered }, index) => {
          const size = Math.max(registered === 0 ? 0.6 : 2, (height * registered) / maxCount);
          return (
            <rect key={from} x={index * step + 1} y={height - size} width={step - 2} height={size}>
              <title>{`${nameOf(from)}: ${dates.number(registered)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className={styles.ends}>
        <span>{first && nameOf(first.from)}</span>
        <span>{summary}</span>
        <span>{last && nameOf(last.from)}</span>
      </p>
    </Section>
  );
}
