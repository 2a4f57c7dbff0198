import { parseArgs } from 'node:util';
import type { StoredOptions } from './stored/run-stored.ts';

/** Extent of one run. `quick` shortens every section: its figures are for a glance, not for a record. */
export interface BenchPlan {
  readonly roundMs: number;
  /** Time before the first round, for each of the compared sides. */
  readonly warmMs: number;
  readonly rounds: number;
  /** At most the size of the key pool, so that each finds a key. */
  readonly webhookSamples: number;
  /** Requests before the first sample. */
  readonly webhookWarmUp: number;
  readonly certificates: number;
  readonly rawKeyMs: number;
  readonly warmStarts: number;
  /** Time to measure the cost of one request, for each kind. */
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

Options:
  --quick          shorter rounds, for a glance
  --record         keeps the ratios in RESULTS.md, and compares with nothing
  --stored <n>     with n requests stored
  --plans          with --stored: prints the plan of every statement
  --help           this text
`;

export type BenchCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'stored'; readonly options: StoredOptions }
  | { readonly kind: 'run'; readonly plan: BenchPlan; readonly isRecord: boolean };

export function readCommand(args: readonly string[]): BenchCommand {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean' },
        record: { type: 'boolean' },
        stored: { type: 'string' },
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
    return { kind: 'run', plan: values.quick ? quick : full, isRecord: values.record ?? false };
  } catch (error) {
    return { kind: 'refused', message: (error as Error).message };
  }
}

function wholeNumber(text: string, option: string, min: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < min)
    throw new RangeError(`${option} takes a whole number from ${min} on`);
  return number;
}
