import { parseArgs } from 'node:util';
import type { BatchOptions } from './batch/run-batch.ts';
import type { QuotaOptions } from './quota/run-quota.ts';
import type { RemindersOptions } from './reminders/run-reminders.ts';
import type { EvidenceSpaceOptions } from './space/run-evidence-space.ts';
import type { FamiliesOptions } from './space/run-families.ts';
import type { StoredOptions } from './stored/run-stored.ts';
import type { TracingOptions } from './tracing/run-tracing.ts';

/** How much one run measures. `quick` keeps every section and shortens it: figures for a glance, not for a record. */
export interface BenchPlan {
  readonly roundMs: number;
  /** Before the first round, for each of those compared. */
  readonly warmMs: number;
  readonly rounds: number;
  /** No more than the key pool holds, so that each finds a key. */
  readonly webhookSamples: number;
  /** Requests before the first sample. */
  readonly webhookWarmUp: number;
  readonly certificates: number;
  readonly rawKeyMs: number;
  readonly warmStarts: number;
  /** For what one request costs, of each kind. */
  readonly costMs: number;
}

const full: BenchPlan = {
  roundMs: 6_000,
  warmMs: 15_000,
  rounds: 4,
  webhookSamples: 50,
  webhookWarmUp: 200,
  certificates: 300,
  rawKeyMs: 15_000,
  warmStarts: 3,
  costMs: 8_000,
};

const quick: BenchPlan = {
  roundMs: 2_000,
  warmMs: 2_000,
  rounds: 2,
  webhookSamples: 20,
  webhookWarmUp: 10,
  certificates: 64,
  rawKeyMs: 5_000,
  warmStarts: 1,
  costMs: 4_000,
};

const storedFull = { rounds: 15, durationMs: 8_000, idleMs: 30_000 } as const;
const storedQuick = { rounds: 5, durationMs: 3_000, idleMs: 10_000 } as const;
const batchFull = { rounds: 4, durationMs: 6_000 } as const;
const batchQuick = { rounds: 2, durationMs: 3_000 } as const;
const remindersFull = { due: 200_000, rounds: 3, durationMs: 30_000 } as const;
const remindersQuick = { due: 20_000, rounds: 2, durationMs: 4_000 } as const;
const quotaFull = { rounds: 20, durationMs: 3_000 } as const;
const quotaQuick = { rounds: 4, durationMs: 3_000 } as const;
const tracingFull = { part: 1 } as const;
const tracingQuick = { part: 0.3 } as const;

export const usage = `Usage: npm run bench [-- options]

Starts a stack of its own and prints, from one run:
  time to ready              of a warm \`npm start\`
  resident memory            of each service, idle
  register to webhook        p50 and p95 at 1 in flight, against the time one RSA-2048 key takes
  registrations per second   32 connections, 40 kB evidence, against a bare Fastify process on the same PostgreSQL
  status queries per second  32 connections, against the same bare process
  certificates per second    16 in flight with the key pool drained first, against raw RSA-2048 key generation
  CPU milliseconds           of a status query, a registration, an error webhook, a certificate, over all processes

Then all of them in one table, beside what is kept in packages/acceptance/bench/RESULTS.md and what others reached. It fails
where a ratio has fallen by more than a fifth.

Or, with --stored, fills a stack's database with so many issued requests of three years, without their evidence, and
prints what calls, requests and rest cost beside a stack with few. It fails where a statement reads more rows
of a table, the more are stored. Two million take some 20 GB and half an hour.

Or, with --copies, measures what one, two and four copies of intake, generation and notifier finish in a second where each
copy gets a small share of a core, and what PostgreSQL and NATS do at most on this machine. It fails where two copies do
less than 0.8 of twice what one does. It takes Linux and its root user: control groups hold the shares.

Or, with --tracing, prints what a status query and a registration cost without a collector of traces, with one, and with one
that gets every trace, on stacks side by side, in 20 minutes. It fails where traces as they are unless set take more than 3 %
of the rate.

Or, with --batch, prints registrations a second by one batch and by single calls, what another caller waits beside each,
and the gateway's memory. It fails where a batch brings less than 1.2 of the single calls' rate, or makes others wait
more than twice as long.

Or, with --evidence-space, registers requests of 40 kB whose validation refuses them, lets the mover take their evidence into
the store, and does so once more: prints what the database and the store take after each step. It fails where the second
round does not use the room that the first has left. 100,000 take some 16 GB and an hour.

Or, with --families, issues so many of each family, lets the time of their bundles pass and their evidence go into the store,
and prints what one takes of the database and the store.

Or, with --reminders, lets 200,000 reminders of the end of certificates be due at once and prints registrations a second
without and beside them, in turn, and how long all of them take. It fails where registrations fall below 0.9 of their
rate, or the reminders take more than an hour.

Or, with --quota, prints registrations a second of one partner with a quota and without, in turn. It fails where those with
a quota are less than 0.9 of those without.

Options:
  --quick          shorter rounds, for a glance
  --record         keeps the ratios in RESULTS.md, and compares with nothing
  --stored <n>     with n requests stored
  --copies         with more copies
  --tracing        with and without traces
  --batch          one batch against single calls
  --evidence-space two rounds of requests whose evidence is moved
  --families       what a request of each family takes
  --count <n>      with --evidence-space so many a round, 100,000 unless given; with --families of each, 60
  --reminders      beside reminders that are due at once
  --quota          with and without a quota
  --plans          with --stored: prints the plan of every statement
  --help           this text
`;

export type BenchCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'stored'; readonly options: StoredOptions }
  | { readonly kind: 'copies'; readonly part: number }
  | { readonly kind: 'tracing'; readonly options: TracingOptions }
  | { readonly kind: 'evidence-space'; readonly options: EvidenceSpaceOptions }
  | { readonly kind: 'families'; readonly options: FamiliesOptions }
  | { readonly kind: 'batch'; readonly options: BatchOptions }
  | { readonly kind: 'reminders'; readonly options: RemindersOptions }
  | { readonly kind: 'quota'; readonly options: QuotaOptions }
  | { readonly kind: 'run'; readonly plan: BenchPlan; readonly isRecord: boolean };

export function readCommand(args: readonly string[]): BenchCommand {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean' },
        record: { type: 'boolean' },
        stored: { type: 'string' },
        copies: { type: 'boolean' },
        tracing: { type: 'boolean' },
        batch: { type: 'boolean' },
        'evidence-space': { type: 'boolean' },
        families: { type: 'boolean' },
        count: { type: 'string' },
        reminders: { type: 'boolean' },
        quota: { type: 'boolean' },
        plans: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) return { kind: 'help' };
    if (values.stored !== undefined) {
      const options = {
        requests: wholeNumber(values.stored, '--stored', 1_000),
        showsPlans: values.plans ?? false,
        ...(values.quick ? storedQuick : storedFull),
      };
      return { kind: 'stored', options };
    }
    if (values['evidence-space'])
      return {
        kind: 'evidence-space',
        options: { count: wholeNumber(values.count ?? '100000', '--count', 100) },
      };
    if (values.families)
      return { kind: 'families', options: { count: wholeNumber(values.count ?? '60', '--count', 1) } };
    if (values.copies) return { kind: 'copies', part: values.quick ? 0.25 : 1 };
    if (values.tracing) return { kind: 'tracing', options: values.quick ? tracingQuick : tracingFull };
    if (values.quota) return { kind: 'quota', options: values.quick ? quotaQuick : quotaFull };
    if (values.batch) return { kind: 'batch', options: values.quick ? batchQuick : batchFull };
    if (values.reminders)
      return { kind: 'reminders', options: values.quick ? remindersQuick : remindersFull };
    return { kind: 'run', plan: values.quick ? quick : full, isRecord: values.record ?? false };
  } catch (error) {
    return { kind: 'refused', message: (error as Error).message };
  }
}

function wholeNumber(text: string, option: string, least: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least)
    throw new RangeError(`${option} takes a whole number from ${least} on`);
  return number;
}
