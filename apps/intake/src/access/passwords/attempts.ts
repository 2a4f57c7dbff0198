import { type Database, statement } from '@rubrica/database';
import { AppError, type Clock, listNetworks } from '@rubrica/process';
import { sha256Hex } from '../../base/sha256-hex.ts';
import { forgetExpired } from '../../base/sweeper-task.ts';
import { type AttemptRule, attemptRules, delayMsOf, judgeAttempt, type Tally } from './judge-attempt.ts';
import { Busy, createLimit } from './limit.ts';

export interface AttemptsDeps {
  readonly database: Pick<Database, 'transaction' | 'statement'>;
  readonly clock: Clock;
}

export interface Attempt {
  /** In lower case. */
  readonly account: string;
  /** As the gateway counts addresses. */
  readonly address: string;
}

export interface Attempts {
  /**
   * Counts a password that is about to be looked at as a wrong one. Many at the same moment get a number each, so that
   * no more are looked at than one after the other would be.
   * @returns by how much the answer is to be delayed
   * @throws AppError RATE_LIMITED with the seconds to wait; Busy where nothing was counted
   */
  count(attempt: Attempt): Promise<{ readonly delayMs: number }>;
  /** The password was right, and the code where one was due. */
  forgive(attempt: Attempt): Promise<void>;
  /** Does what was counted, and takes it back where the password was not judged for want of room. */
  judge<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result>;
  /** This one was right as far as it went: others before it still count. */
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
 * Attempts of one address wait for each other's rows, each with a connection. Few at once do, so that a burst of sign-ins
 * leaves the pool to the other calls.
 */
const counts = { atOnce: 2, waiting: 1_000, waitMs: 4_000 };

/** In a table, so that they hold over all copies and through restarts. */
export function createAttempts({ database, clock }: AttemptsDeps): Attempts {
  const limit = createLimit(counts);
  const takeBackOne = (attempt: Attempt) =>
    takeBack.run(database, { keys: sortedKeys(listCounted(attempt)) });
  return {
    async judge(attempt, work) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof Busy) await takeBackOne(attempt);
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
          const tallies = counted.map((one) => ({
            ...one,
            ...tallyAfter(rows.get(one.key), one.rule, nowMs),
          }));
          for (const { key, count, endsAtMs, waitsUntilMs } of tallies)
            await write.run(em, {
              key,
              count,
              endsAt: new Date(endsAtMs),
              waitsUntil: new Date(waitsUntilMs),
            });
          return {
            delayMs: Math.max(...tallies.map((one) => (one.kind === 'account' ? delayMsOf(one) : 0))),
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
      await takeBackOne(attempt);
    },
  };
}

interface Counted {
  readonly kind: Kind;
  readonly key: string;
  readonly rule: AttemptRule;
}

/** All that an attempt is counted by; the /56 of an IPv6 address has its share of free ones. */
function listCounted({ account, address }: Attempt): readonly Counted[] {
  const counted = (kind: Kind, share: number, ...parts: readonly string[]): Counted => {
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

/** One order for all, or two attempts could wait for each other. */
function sortedKeys(counted: readonly Counted[]): string[] {
  return counted.map(({ key }) => key).sort();
}

/** @throws AppError RATE_LIMITED */
function tallyAfter(known: Tally | undefined, rule: AttemptRule, nowMs: number): Tally {
  const none = { count: 0, endsAtMs: 0, waitsUntilMs: 0 };
  const judged = judgeAttempt(known ?? none, rule, nowMs);
  if ('tally' in judged) return judged.tally;
  throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds: Math.ceil(judged.waitMs / 1000) });
}

export const forgetAttempts = forgetExpired({
  name: 'forget-sign-in-attempts',
  table: 'sign_in_attempt',
  key: 'key',
  at: 'ends_at',
});
