import { awaitIdle, sumCpu } from '../cpu.ts';
import { formatSection, type Row } from '../table.ts';
import { storedCalls } from './calls.ts';
import { everyCombination } from './combinations.ts';
import { type IndexGrowth, measureGrowth } from './growth.ts';
import { combinationsSection, measureCombinations } from './measure-combinations.ts';
import { fillQueue, type MeasuredPage, measurePages } from './measure-pages.ts';
import { measureCalls, measureCosts, measureIdle, type Pair } from './measure-stored.ts';
import { measureSpace, spaceSection } from './request-space.ts';
import { knownValues, measureRetention, startStored } from './stored-stack.ts';
import { type WatchedStatement, watchPlans } from './watch-plans.ts';

/** Enough for each search to return a full page, so that both stacks answer the same. */
const fewRequests = 2_000;
/** Largest batch of a sweeper, and many times a page. */
const mostRows = 2_500;
const maxDue = 20_000;
const manyRequests = 10_000_000;

export interface StoredOptions {
  readonly requests: number;
  /** Prints the plan of every statement, not only of faulty ones. */
  readonly showsPlans: boolean;
  readonly rounds: number;
  readonly durationMs: number;
  readonly idleMs: number;
}

/**
 * Measures a stack with many stored requests beside one with few.
 * @returns true if nothing grows that should not
 */
export async function runStored(options: StoredOptions, say: (text: string) => void): Promise<boolean> {
  const { requests, rounds, durationMs } = options;
  const section = (title: string, rows: readonly Row[]) => say(formatSection(title, rows));
  say(`Filling a stack with ${requests} requests`);
  await using large = await startStored({ requests, port: 4500 }, say);
  await using small = await startStored({ requests: fewRequests, port: 4700 }, () => undefined);
  const stacks = { small, large };
  await Promise.all([awaitIdle(small.home), awaitIdle(large.home)]);
  say(spaceSection(await measureSpace(large.client)));
  section('Start of the stack, ms', [
    {
      what: 'until all services are ready',
      value: large.readyMs.toFixed(0),
      note: `beside ${small.readyMs.toFixed(0)}`,
    },
  ]);
  const idle = await measureIdle(stacks, options.idleMs);
  section(`Idle, CPU ms in ${options.idleMs / 1_000} s`, idleRows(idle));
  section('Calls of operators and partners, ms', (await measureCalls(stacks, rounds)).map(callRow));
  say(combinationsSection(await measureCombinations(large)));
  const costs = await measureCosts(stacks, { rounds: 3, durationMs });
  section('CPU ms of a request, all processes', costs.map(costRow));
  const due = Math.min(maxDue, Math.floor(requests / 100));
  const erasedMs = await measureRetention(large.client, due);
  section(`Retention of ${due} requests that fall due at once`, [
    { what: 'from the first to the last', value: `${(erasedMs / 1_000).toFixed(1)} s`, note: '' },
  ]);
  say('Watching the plans of all statements, and what runs by itself');
  const known = await knownValues(large.client);
  const statements = await watchPlans(large, {
    calls: storedCalls(known),
    // Each combination with its own values, once, and only with `--plans`, because there are thousands of plans.
    once: options.showsPlans ? everyCombination(known) : [],
    repeats: 7,
    mostRows,
    backgroundMs: 80_000,
  });
  const own = statements.filter(({ of }) => of === 'when nobody calls');
  section('Statements when nobody calls, ms', own.map(statementRow));
  for (const statement of statements)
    if (options.showsPlans || statement.findings.length > 0) say(planText(statement));
  // Last, because it changes the stored data.
  const waiting = Math.floor(requests / 10);
  say(`Letting ${waiting} requests wait for a reviewer`);
  await fillQueue(large.client, waiting);
  section('Pages of the console, ms to the first rows', (await measurePages(large)).map(pageRow));
  const growth = await measureGrowth(large.client, manyRequests / requests);
  section(`Indexes now, and with ${manyRequests} requests`, growth.slice(0, 25).map(growthRow));
  const faults = statements.filter(({ findings }) => findings.length > 0);
  say(
    faults.length === 0
      ? `No plan of ${statements.length} statements grows with what is stored.`
      : `${faults.length} of ${statements.length} statements grow with what is stored.`,
  );
  return faults.length === 0;
}

function ratio({ small, large }: Pair<number>): string {
  return `${(large / Math.max(small, 0.001)).toFixed(2)} ×`;
}

function callRow({ name, small, large }: Pair<number> & { readonly name: string }): Row {
  return { what: name, value: large.toFixed(1), note: `${ratio({ small, large })} of ${small.toFixed(1)}` };
}

function pageRow({ name, firstRowsMs, nextPageMs, longestFrameMs }: MeasuredPage): Row {
  return {
    what: name,
    value: firstRowsMs.warm.toFixed(0),
    note: `${firstRowsMs.cold.toFixed(0)} with nothing cached, next page ${nextPageMs.toFixed(0)}, longest frame ${longestFrameMs.toFixed(0)}`,
  };
}

function costRow({ small, large }: Awaited<ReturnType<typeof measureCosts>>[number]): Row {
  const totals = { small: small.totalMs, large: large.totalMs };
  const each = Object.entries(large.each).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  return {
    what: large.kind,
    value: large.totalMs.toFixed(2),
    note: `${ratio(totals)} of ${small.totalMs.toFixed(2)}; ${large.perSecond.toFixed(0)}/s beside ${small.perSecond.toFixed(0)}/s; ${each.join(', ')}`,
  };
}

function idleRows({ small, large }: Awaited<ReturnType<typeof measureIdle>>): Row[] {
  const row = (what: string, pair: Pair<number>): Row => ({
    what,
    value: pair.large.toFixed(0),
    note: `beside ${pair.small.toFixed(0)}`,
  });
  const each = Object.entries(large).map(([name, ms]) => row(name, { small: small[name] ?? 0, large: ms }));
  return [...each, row('all', { small: sumCpu(small), large: sumCpu(large) })];
}

function statementRow({ text, medianMs, times }: WatchedStatement): Row {
  return { what: text.slice(0, 100), value: medianMs.toFixed(2), note: `${times} times` };
}

function planText({ of, text, plan, findings }: WatchedStatement): string {
  return [
    `${of}: ${text.slice(0, 160)}`,
    ...findings.map((finding) => `  FAULT: ${finding}`),
    ...plan.map((line) => `    ${line}`),
    '',
  ].join('\n');
}

function growthRow({ name, megabytes, levels, megabytesThen, levelsThen }: IndexGrowth): Row {
  return {
    what: name,
    value: `${megabytes.toFixed(0)} MB`,
    note: `${levels} levels; then ${megabytesThen.toFixed(0)} MB, ${levelsThen} levels`,
  };
}
