import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { type Database, recordAudit, statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import { LRUCache } from 'lru-cache';
import type { NotifierDeps } from '../context.ts';
import { failedStates, lowestId } from './own-events.ts';

export interface RecoverEventsDeps extends Pick<NotifierDeps, 'nudgeDeliveries' | 'intake'> {
  readonly database: Pick<Database, 'statement' | 'transaction'>;
  readonly nowMs?: () => number;
}

const batchRows = 500;
/** Recoveries that one partner may begin in a minute, in this copy: each makes all that failed due at once. */
const recoveriesPerMinute = 6;
/** Partners whose recoveries are counted; the least recent ones are forgotten. */
const maxCounted = 10_000;
/** Keeps one call short; the gateway calls again while more are left. */
const mostBatches = 8;

interface Range {
  readonly partnerId: string;
  readonly states: readonly string[];
  /** Ids, the last one exclusive. */
  readonly after: string;
  readonly below: string;
}

/** Those that failed, oldest first. Those of a disabled destination wait until it is enabled. */
const findFailed = statement<Range, { readonly id: string; readonly isExpired: boolean }>({
  name: 'failed-events',
  sql: `
select failed.id, failed.body is null as "isExpired" from unnest(:states::text[]) as s (of_state) cross join lateral (
  select d.id, d.body from delivery d
  where d.partner_id = :partnerId and d.state = s.of_state and d.id > :after::uuid and d.id < :below::uuid
    and not exists (select from endpoint n where n.partner_id = d.partner_id
      and n.destination = d.destination and n.state = 'DISABLED')
  order by d.id limit ${batchRows}
) as failed
order by failed.id limit ${batchRows}`,
});

const recover = statement<
  { readonly partnerId: string; readonly states: readonly string[]; readonly ids: readonly string[] },
  { readonly id: string }
>({
  name: 'recover-events',
  sql: `update delivery set state = 'PENDING', due_at = now(), round_attempts = 0, fence = fence + 1
where id = any(:ids::uuid[]) and partner_id = :partnerId and state = any(:states::text[]) and body is not null
returning id`,
});

/**
 * Sends again what the calling partner has missed between two moments. Intake opens the events of a batch first, on the
 * partner's word. Each batch is a transaction of its own with an audit row of its own.
 * @throws AppError RATE_LIMITED
 */
export function createRecoverEvents(deps: RecoverEventsDeps): UseCase<'notifier', 'events.recover'> {
  const { database, intake, nudgeDeliveries } = deps;
  const countRecovery = createRecoveryCount(deps.nowMs ?? Date.now);
  return async ({ from, to, after }, { caller: { partnerId, clientId }, token: operatorToken = '' }) => {
    // A call with `after` goes on with a recovery that has been counted.
    if (after === undefined) countRecovery(partnerId);
    const below = lowestId(new Date(to));
    // An id of the moment itself lies above its lowest one.
    let last = after ?? lowestId(new Date(from));
    const counts = { resent: 0, expired: 0 };
    for (let batch = 0; batch < mostBatches; batch++) {
      const range = { partnerId, states: failedStates, after: last, below };
      const found = await findFailed.run(database, range);
      const ids = found.filter(({ isExpired }) => !isExpired).map(({ id }) => id);
      if (ids.length > 0) {
        await intake['events.reopen']({ partnerId, eventIds: ids, operatorToken });
        counts.resent += await database.transaction(async (em) => {
          const rows = await recover.run(em, { partnerId, states: failedStates, ids });
          await recordAudit(em, {
            actor: `partner:${clientId}`,
            action: 'events.recover',
            target: `partner:${partnerId}`,
            details: { from, to, count: rows.length },
          });
          return rows.length;
        });
        nudgeDeliveries();
      }
      counts.expired += found.length - ids.length;
      last = found.at(-1)?.id ?? last;
      if (found.length < batchRows) return { ...counts, after: null };
    }
    return { ...counts, after: last };
  };
}

function createRecoveryCount(nowMs: () => number): (partnerId: string) => void {
  const begun = new LRUCache<string, readonly number[]>({ max: maxCounted });
  return (partnerId) => {
    const now = nowMs();
    const recent = (begun.get(partnerId) ?? []).filter((at) => now - at < MINUTE_MS);
    const [oldest = now] = recent;
    if (recent.length >= recoveriesPerMinute) {
      const retryAfterSeconds = Math.ceil((oldest + MINUTE_MS - now) / 1_000);
      throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds });
    }
    begun.set(partnerId, [...recent, now]);
  };
}
