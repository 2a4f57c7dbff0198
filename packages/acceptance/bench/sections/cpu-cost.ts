import type { StackInfo } from '@rubrica/stack';
import type { TestPartner } from '@rubrica/testkit';
import type { BenchPlan } from '../options.ts';
import { fixedCpuMs } from '../raw-keys.ts';
import type { Figure, Section } from '../record/figures.ts';
import { costKinds, measureCost } from '../request-cost.ts';
import type { Row } from '../table.ts';

const figureOf = {
  status: 'cpu-status',
  registration: 'cpu-registration',
  error: 'cpu-error',
  certificate: 'cpu-certificate',
} as const;

/**
 * Measures the cost of one request in all processes, including its consequences: steadier than rates on a shared
 * machine.
 */
export async function measureCpuCost(context: {
  info: StackInfo;
  home: string;
  folder: string;
  partner: TestPartner;
  plan: BenchPlan;
}): Promise<Section> {
  const rows: Row[] = [];
  const figures: Figure[] = [];
  for (const kind of costKinds) {
    // Directly before each, so that both measure the same machine.
    const baselineMs = fixedCpuMs();
    const { totalMs, perSecond, each } = await measureCost(kind, {
      ...context,
      durationMs: context.plan.costMs,
    });
    const parts = Object.entries(each)
      .filter(([, ms]) => ms >= 0.01)
      .map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
    rows.push({
      what: kind,
      value: `${totalMs.toFixed(2)} ms`,
      note: `${perSecond.toFixed(0)}/s; ${parts.join(', ')}`,
    });
    figures.push({ key: figureOf[kind], value: `${totalMs.toFixed(2)} ms`, ratio: baselineMs / totalMs });
  }
  return { rows, figures };
}
