import type { BenchPlan } from '../options.ts';
import { startWithNpm } from '../stack-process.ts';
import { median } from '../statistics.ts';
import type { Row } from '../table.ts';

/** Measures starts: the first one creates everything; later ones are warm. */
export async function measureTimeToReady(home: string, plan: BenchPlan): Promise<Row[]> {
  const timed = async () => {
    await using stack = await startWithNpm(home);
    return stack.readyMs / 1_000;
  };
  const first = await timed();
  const warm: number[] = [];
  for (let index = 0; index < plan.warmStarts; index += 1) warm.push(await timed());
  const each = warm.map((seconds) => seconds.toFixed(1)).join(' ');
  return [
    { what: 'warm `npm start`', value: `${median(warm).toFixed(1)} s`, note: `aim ≤ 5 s; each ${each}` },
    {
      what: 'first start',
      value: `${first.toFixed(1)} s`,
      note: 'makes keys, schemas, streams and the authority',
    },
  ];
}
