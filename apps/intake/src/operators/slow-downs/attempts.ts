import { type Database, statement } from '@rubrica/database';
import { AppError, type Clock } from '@rubrica/process';
import { sha256Hex } from '../../sha256-hex.ts';
import { forgetExpired } from '../../sweeper-task.ts';
import { HashesBusy } from '../password-hashes.ts';
import { attemptRules, delayMsOf, judgeAttempt, type Tally } from './judge-attempt.ts';

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
   * @throws AppError RATE_LIMITED with the seconds to wait
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

const forgive = statement<{ readonly pair: string; readonly others: readonly string[] }>({
  name: 'forgive-sign-in-attempt',
  sql: `with gone as (delete from sign_in_attempt where key = :pair)
    update sign_in_attempt set count = greatest(count - 1, 0) where key = any(:others::text[])`,
});

const takeBack = statement<{ readonly keys: readonly string[] }>({
  name: 'take-back-sign-in-attempt',
  sql: `update sign_in_attempt set count = greatest(count - 1, 0) where key = any(:keys::text[])`,
});

/** In a table, so that they hold over all copies and through restarts. */
export function createAttempts({ database, clock }: AttemptsDeps): Attempts {
  const takeBackOne = (attempt: Attempt) =>
    takeBack.run(database, { keys: Object.values(keysOf(attempt)).sort() });
  return {
    async judge(attempt, work) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof HashesBusy) await takeBackOne(attempt);
        throw error;
      }
    },
    async count(attempt) {
      const keys = keysOf(attempt);
      const sorted = Object.values(keys).sort();
      return database.transaction(async (em) => {
        await open.run(em, { keys: sorted });
        const rows = new Map((await lock.run(em, { keys: sorted })).map((row) => [row.key, row]));
        const nowMs = clock().getTime();
        const judged = (kind: Kind) => tallyAfter(rows.get(keys[kind]), kind, nowMs);
        const tallies = { pair: judged('pair'), address: judged('address'), account: judged('account') };
        for (const [kind, { count, endsAtMs, waitsUntilMs }] of Object.entries(tallies))
          await write.run(em, {
            key: keys[kind as Kind],
            count,
            endsAt: new Date(endsAtMs),
            waitsUntil: new Date(waitsUntilMs),
          });
        return { delayMs: delayMsOf(tallies.account) };
      });
    },
    async forgive(attempt) {
      const { pair, address, account } = keysOf(attempt);
      await forgive.run(database, { pair, others: [address, account].sort() });
    },
    async takeBack(attempt) {
      await takeBackOne(attempt);
    },
  };
}

function keysOf({ account, address }: Attempt): Record<Kind, string> {
  const keyOf = (...parts: string[]) => sha256Hex(JSON.stringify(parts));
  return {
    pair: keyOf('pair', account, address),
    address: keyOf('address', address),
    account: keyOf('account', account),
  };
}

/** @throws AppError RATE_LIMITED */
function tallyAfter(known: Tally | undefined, kind: Kind, nowMs: number): Tally {
  const none = { count: 0, endsAtMs: 0, waitsUntilMs: 0 };
  const judged = judgeAttempt(known ?? none, attemptRules[kind], nowMs);
  if ('tally' in judged) return judged.tally;
  throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds: Math.ceil(judged.waitMs / 1000) });
}

export const forgetAttempts = forgetExpired({
  name: 'forget-sign-in-attempts',
  table: 'sign_in_attempt',
  key: 'key',
  at: 'ends_at',
});
