import { parseArgs } from 'node:util';

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
};

export const usage = `Usage: npm run bench [-- options]

Starts a stack of its own and prints, from one run:
  time to ready              of a warm \`npm start\`
  resident memory            of each service, idle
  register to webhook        p50 and p95 at 1 in flight, against the time one RSA-2048 key takes
  registrations per second   32 connections, 40 kB evidence, against a bare Fastify process on the same PostgreSQL
  certificates per second    16 in flight with the key pool drained first, against raw RSA-2048 key generation

Options:
  --quick   shorter rounds, for a glance
  --help    this text
`;

export type BenchCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'run'; readonly plan: BenchPlan };

export function readCommand(args: readonly string[]): BenchCommand {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { quick: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) return { kind: 'help' };
    return { kind: 'run', plan: values.quick ? quick : full };
  } catch (error) {
    return { kind: 'refused', message: (error as Error).message };
  }
}
