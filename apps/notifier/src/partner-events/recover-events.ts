import { recordAudit } from '@rubrica/audit/log';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import { LRUCache } from 'lru-cache';
import type { NotifierDeps } from '../context.ts';
import { failedDeliveryStates, lowestEventId } from './own-events.ts';

export interface RecoverEventsDeps extends Pick<NotifierDeps, 'nudgeDeliveries' | 'intake'> {
  readonly database: Pick<Database, 'statement' | 'transaction'>;
  readonly nowMs?: () => number;
}

const batchRows = 500;
/** Recoveries per partner and minute, in this copy: each makes all failed events due at once. */
const recoveriesPerMinute = 6;
/** Partners with counted recoveries; the least recent are dropped. */
const maxCounted = 10_000;
/** Limits one call; the gateway calls again while more are left. */
const maxBatches = 8;

interface EventRange {
  readonly partnerId: string;
  readonly states: readonly string[];
  /** Range of ids, with an exclusive end. */
  readonly after: string;
  readonly below: string;
}

/** Selects failed events, oldest first. Those of a disabled destination wait until it is enabled. */
const findFailed = statement<EventRange, { readonly id: string; readonly isExpired: boolean }>({
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
 * Resends what the calling partner missed between two instants. Intake reopens the events of a batch first, with the
 * partner's token. Each batch is a separate transaction with an audit row.
 * @throws AppError RATE_LIMITED
 */
export function createRecoverEvents(deps: RecoverEventsDeps): UseCase<'notifier', 'events.recover'> {
  const { database, intake, nudgeDeliveries } = deps;
  const countRecovery = createRecoveryCount(deps.nowMs ?? Date.now);
  return async ({ from, to, after }, { caller: { partnerId, clientId }, token: operatorToken = '' }) => {
    // A call with `after` continues a recovery that was counted.
    if (after === undefined) countRecovery(partnerId);
    const below = lowestEventId(new Date(to));
    // Ids of the instant itself are above its lowest id.
    let last = after ?? lowestEventId(new Date(from));
    const counts = { resent: 0, expired: 0 };
    for (let batch = 0; batch < maxBatches; batch++) {
      const range = { partnerId, states: failedDeliveryStates, after: last, below };
      const found = await findFailed.run(database, range);
      const ids = found.filter(({ isExpired }) => !isExpired).map(({ id }) => id);
      if (ids.length > 0) {
        await intake['events.reopen']({ partnerId, eventIds: ids, operatorToken });
        counts.resent += await database.transaction(async (em) => {
          const rows = await recover.run(em, { partnerId, states: failedDeliveryStates, ids });
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
  const startTimes = new LRUCache<string, readonly number[]>({ max: maxCounted });
  return (partnerId) => {
    const now = nowMs();
    const recent = (startTimes.get(partnerId) ?? []).filter((at) => now - at < MINUTE_MS);
    const [oldest = now] = recent;
    if (recent.length >= recoveriesPerMinute) {
      const retryAfterSeconds = Math.ceil((oldest + MINUTE_MS - now) / 1_000);
      throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds });
    }
    startTimes.set(partnerId, [...recent, now]);
  };
}
