import { setTimeout as delay } from 'node:timers/promises';
import { callOnce, findCursor, type StoredCall } from './calls.ts';
import { growingTables } from './growth.ts';
import { judgePlan, type PlanNode, shortPlan } from './plans/judge-plan.ts';
import { type PlanLog, startPlans } from './plans/plan-log.ts';
import type { SeenStatement } from './plans/read-log.ts';
import { endRetention, type StoredStack, untilErased } from './stored-stack.ts';

/** A statement with the costliest of its plans, and the parts of it that would grow. */
export interface WatchedStatement {
  readonly of: string;
  readonly text: string;
  readonly times: number;
  readonly medianMs: number;
  readonly plan: readonly string[];
  readonly findings: readonly string[];
}

export interface WatchOptions {
  readonly calls: readonly StoredCall[];
  /** Calls made once each, before the others. */
  readonly once?: readonly StoredCall[];
  /**
   * Number of repetitions of each call, so that the generic plan occurs too: PostgreSQL may change to it after five.
   */
  readonly repeats: number;
  /** Rows of a growing table that a statement may read, unless its call has another number. */
  readonly mostRows: number;
  /** Longer than a round of the sweepers. */
  readonly backgroundMs: number;
}

const erasedCount = 400;

/** Watches every statement of the services in the calls, in a registration up to its certificate, and without calls. */
export async function watchPlans(stack: StoredStack, options: WatchOptions): Promise<WatchedStatement[]> {
  const { client, home, partner, requests } = stack;
  const { mostRows } = options;
  const growing = await growingTables(client, Math.max(500, requests / 50));
  const log = await startPlans(client, home);
  const found: WatchedStatement[] = [];
  for (const call of options.once ?? []) {
    const { statements } = await log.during(() => callOnce(stack, call, undefined));
    found.push(...judgeStatements(call.name, statements, { growing, mostRows: call.mostRows ?? mostRows }));
  }
  for (const call of options.calls) {
    const cursor = await findCursor(stack, call);
    const { statements } = await log.during(async () => {
      for (let index = 0; index < options.repeats; index += 1) await callOnce(stack, call, cursor);
    });
    found.push(...judgeStatements(call.name, statements, { growing, mostRows: call.mostRows ?? mostRows }));
  }
  const { statements } = await log.during(async () => {
    for (let index = 0; index < options.repeats; index += 1) {
      const { sent } = await partner.register();
      await partner.event(sent.referenceTransaction);
      await partner.status(sent.referenceTransaction);
    }
  });
  found.push(...judgeStatements('a registration', statements, { growing, mostRows }));
  const [ofDays, others] = partition(await background(log, stack, options.backgroundMs), countsDay);
  found.push(...judgeStatements('when nobody calls', others, { growing, mostRows }));
  // A day of three years, with its steps: it grows with the registrations of a day.
  const mostOfDay = Math.max(mostRows, requests / 50);
  found.push(...judgeStatements('when nobody calls', ofDays, { growing, mostRows: mostOfDay }));
  await log.stop();
  return onceEach(found);
}

/** Collects two rounds of all background work, with requests whose retention is over. */
async function background(
  log: PlanLog,
  { client }: StoredStack,
  durationMs: number,
): Promise<SeenStatement[]> {
  const { statements } = await log.during(async () => {
    await endRetention(client, erasedCount);
    await Promise.all([untilErased(client), delay(durationMs)]);
  });
  return statements.filter(({ text }) => !isOurs(text));
}

/** Recognizes statements of the reports: one day after the other. */
function countsDay({ text }: SeenStatement): boolean {
  return text.includes('_day_computed');
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function isOurs(text: string): boolean {
  return (
    text.includes("like 'STORED-%'") ||
    text.includes('evidence_due_at <= now() and legal_hold_at is null limit 1')
  );
}

function judgeStatements(
  of: string,
  statements: readonly SeenStatement[],
  judgement: Parameters<typeof judgePlan>[1],
): WatchedStatement[] {
  return [...Map.groupBy(statements, ({ text }) => text)].map(([text, times]) => {
    const ordered = times.toSorted((a, b) => a.durationMs - b.durationMs);
    const worst = times
      .map(({ plan }) => ({ plan, findings: judgePlan(plan, judgement) }))
      .toSorted((a, b) => b.findings.length - a.findings.length)[0];
    return {
      of,
      text,
      times: times.length,
      medianMs: ordered[Math.floor(ordered.length / 2)]?.durationMs ?? 0,
      plan: shortPlan(worst?.plan as PlanNode),
      findings: worst?.findings ?? [],
    };
  });
}

/**
 * Lists each statement once. Background statements occur in calls too; they count as background work, unless a call has
 * findings about them.
 */
function onceEach(statements: readonly WatchedStatement[]): WatchedStatement[] {
  const kept = new Map<string, WatchedStatement>();
  for (const one of statements) {
    const before = kept.get(one.text);
    if (before === undefined || before.findings.length === 0) kept.set(one.text, one);
  }
  return [...kept.values()];
}
