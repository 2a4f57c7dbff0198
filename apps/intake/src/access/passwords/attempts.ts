import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import { listNetworks } from '@rubrica/process/networks';
import type { Clock } from '@rubrica/process/time';
import { sha256Hex } from '../../base/sha256-hex.ts';
import { deleteExpired } from '../../base/sweeper-task.ts';
import { type AttemptRule, attemptRules, computeDelayMs, judgeAttempt, type Tally } from './judge-attempt.ts';
import { Busy, createLimit } from './limit.ts';

export interface AttemptsDeps {
  readonly database: Pick<Database, 'transaction' | 'statement'>;
  readonly clock: Clock;
}

export interface Attempt {
  /** Account in lower case. */
  readonly account: string;
  /** Address as the gateway counts addresses. */
  readonly address: string;
}

export interface Attempts {
  /**
   * Counts a password that is about to be verified as a wrong one. Concurrent attempts get one number each,
   * so that no more are verified than in sequence.
   * @returns the delay of the answer
   * @throws AppError RATE_LIMITED with the seconds to wait; Busy if nothing was counted
   */
  count(attempt: Attempt): Promise<{ readonly delayMs: number }>;
  /** Removes an attempt whose password was right, and its code if one was due. */
  forgive(attempt: Attempt): Promise<void>;
  /** Runs the counted work, and uncounts it if a full queue kept the password from being verified. */
  judge<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result>;
  /** Uncounts an attempt that was right so far: earlier ones still count. */
  takeBack(attempt: Attempt): Promise<void>;
}

type Kind = keyof typeof attemptRules;

interface Row extends Tally {
  readonly key: string;
}

const open = statement<{ readonly keys: readonly string[] }>({
  name: 'open-sign-in-attempts',
  sql: `insert into sign_in_attempt (key, count, ends_at, waits_until)
    select key, 0, to_timestamp(0), to_timestamp(0) from unnest(:keys::text[]) as key
    on conflict do nothing`,
});

const lock = statement<{ readonly keys: readonly string[] }, Row>({
  name: 'lock-sign-in-attempts',
  sql: `select key, count, (extract(epoch from ends_at) * 1000)::float8 as "endsAtMs",
      (extract(epoch from waits_until) * 1000)::float8 as "waitsUntilMs"
    from sign_in_attempt where key = any(:keys::text[]) order by key for update`,
});

const write = statement<{
  readonly key: string;
  readonly count: number;
  readonly endsAt: Date;
  readonly waitsUntil: Date;
}>({
  name: 'count-sign-in-attempt',
  sql: `update sign_in_attempt set count = :count, ends_at = :endsAt, waits_until = :waitsUntil where key = :key`,
});

const forgive = statement<{ readonly pairs: readonly string[]; readonly others: readonly string[] }>({
  name: 'forgive-sign-in-attempt',
  sql: `with gone as (delete from sign_in_attempt where key = any(:pairs::text[]))
    update sign_in_attempt set count = greatest(count - 1, 0) where key = any(:others::text[])`,
});

const takeBack = statement<{ readonly keys: readonly string[] }>({
  name: 'take-back-sign-in-attempt',
  sql: `update sign_in_attempt set count = greatest(count - 1, 0) where key = any(:keys::text[])`,
});

/**
 * Limit on concurrent counts. Attempts of one address wait for each other's rows, each with a connection. Few
 * at once leave the pool to the other calls in a burst of sign-ins.
 */
const countLimits = { atOnce: 2, waiting: 1_000, waitMs: 4_000 };

/**
 * Creates the counter of attempts. It is a table, so that counts hold over all copies and through restarts.
 */
export function createAttempts({ database, clock }: AttemptsDeps): Attempts {
  const limit = createLimit(countLimits);
  const uncount = (attempt: Attempt) => takeBack.run(database, { keys: sortedKeys(listCounted(attempt)) });
  return {
    async judge(attempt, work) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof Busy) await uncount(attempt);
        throw error;
      }
    },
    async count(attempt) {
      const counted = listCounted(attempt);
      const keys = sortedKeys(counted);
      return limit.run(() =>
        database.transaction(async (em) => {
          await open.run(em, { keys });
          const rows = new Map((await lock.run(em, { keys })).map((row) => [row.key, row]));
          const nowMs = clock().getTime();
          const tallies = counted.map((row) => ({
            ...row,
            ...countAttempt(rows.get(row.key), row.rule, nowMs),
          }));
          for (const { key, count, endsAtMs, waitsUntilMs } of tallies)
            await write.run(em, {
              key,
              count,
              endsAt: new Date(endsAtMs),
              waitsUntil: new Date(waitsUntilMs),
            });
          return {
            delayMs: Math.max(
              ...tallies.map((tally) => (tally.kind === 'account' ? computeDelayMs(tally) : 0)),
            ),
          };
        }),
      );
    },
    async forgive(attempt) {
      const counted = listCounted(attempt);
      const pairs = sortedKeys(counted.filter(({ kind }) => kind === 'pair'));
      const others = sortedKeys(counted.filter(({ kind }) => kind !== 'pair'));
      await forgive.run(database, { pairs, others });
    },
    async takeBack(attempt) {
      await uncount(attempt);
    },
  };
}

interface CountedKey {
  readonly kind: Kind;
  readonly key: string;
  readonly rule: AttemptRule;
}

/**
 * Lists the keys by which an attempt is counted. The /56 of an IPv6 address has its share of free attempts.
 */
function listCounted({ account, address }: Attempt): readonly CountedKey[] {
  const counted = (kind: Kind, share: number, ...parts: readonly string[]): CountedKey => {
    const rule = attemptRules[kind];
    const key = sha256Hex(JSON.stringify([kind, ...parts]));
    return { kind, key, rule: { ...rule, free: rule.free * share } };
  };
  const networks = listNetworks(address);
  return [
    ...networks.map(({ key, share }) => counted('pair', share, account, key)),
    ...networks.map(({ key, share }) => counted('address', share, key)),
    counted('account', 1, account),
  ];
}

/** Sorts the keys: without one order for all, two attempts could deadlock. */
function sortedKeys(counted: readonly CountedKey[]): string[] {
  return counted.map(({ key }) => key).sort();
}

/** Counts an attempt. @throws AppError RATE_LIMITED */
function countAttempt(current: Tally | undefined, rule: AttemptRule, nowMs: number): Tally {
  const none = { count: 0, endsAtMs: 0, waitsUntilMs: 0 };
  const judged = judgeAttempt(current ?? none, rule, nowMs);
  if ('tally' in judged) return judged.tally;
  throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds: Math.ceil(judged.waitMs / 1000) });
}

export const forgetAttempts = deleteExpired({
  name: 'forget-sign-in-attempts',
  table: 'sign_in_attempt',
  key: 'key',
  at: 'ends_at',
});
