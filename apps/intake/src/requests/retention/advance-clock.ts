import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { recordAudit, type SweeperTask, statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import { requestNotFound } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import { transitions } from '../request/state-machine.ts';
import { orderPeers } from './erase-statement.ts';
import { sweepRetention } from './sweep-retention.ts';
import { tellPeers } from './tell-peers.ts';

interface Advance {
  readonly partnerId: string;
  readonly referenceTransaction: string;
  readonly days: number;
}

interface Advanced {
  readonly id: string;
  readonly advancedDays: number;
}

const age = 'make_interval(hours => 24 * :days::integer)';
const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');
/** In other states `due_at` wakes work that has stood still, which is on no clock of the request's. */
const isDeadline = `status in (${quoted(transitions.expire.from)})
  or (expires_at is not null and status in (${quoted(transitions.expireSteps.from)}))`;
function earlier(...columns: readonly string[]): string {
  return columns.map((one) => `${one} = ${one} - ${age}`).join(', ');
}

/**
 * Every instant at which something of the request falls due is kept by the real clock: to advance the request's is to
 * move them all, so that whatever compares them needs to know nothing of it. A period of days that is new has its
 * instant here. Codes, resends, leases and repeats of webhooks have none.
 */
const advance = statement<Advance, Advanced>({
  name: 'advance-clock',
  sql: `
with advanced as (
  update request set advanced_days = advanced_days + :days::integer,
    certificate_advanced_days = certificate_advanced_days + case when serial_number is null then 0 else :days::integer end,
    -- Of an older release's certificate: from its beginning on.
    next_reminder_at = coalesce(next_reminder_at, not_before) - ${age},
    due_at = case when ${isDeadline} then due_at - ${age} else due_at end,
    ${earlier('expires_at', 'claim_expires_at', 'download_until', 'retrieval_until', 'evidence_due_at')},
    version = version + 1, retention_version = retention_version + 1
  where partner_id = :partnerId and reference_transaction = :referenceTransaction
  returning id, advanced_days
), reminded as (
  -- A millisecond more, so that none is for a moment where another still stands.
  update claim_reminder set due_at = due_at - ${age} - interval '1 millisecond' from advanced
  where claim_reminder.request_id = advanced.id and done_at is null
), unlinked as (
  update message set ${earlier('secret_until')} from advanced
  where message.request_id = advanced.id and template in ('claim', 'claim-reminder', 'certificate-ready', 'renewal-reminder')
), forgotten as (
  update claim_link set ${earlier('expires_at')} from advanced where claim_link.request_id = advanced.id
), forgotten_renewal as (
  update renewal_link set ${earlier('expires_at')} from advanced where renewal_link.request_id = advanced.id
), told as (${orderPeers('advanced')})
select id, advanced_days as "advancedDays" from advanced`,
});

type Needs = Pick<RequestsDeps, 'database' | 'clock' | 'rules' | 'sandbox' | 'peers' | 'logger'>;

/** What is done at deadlines, in the order of time. */
interface DueWork {
  /** Of one request: what it is to be reminded of before the end of its certificate. */
  readonly remind: (requestId: string) => Promise<void>;
  /** What the sweeper does, the earliest first. */
  readonly tasks: readonly SweeperTask[];
}

/**
 * Lets days pass for one request of the partner's, and does at once what fell due, in the order of time.
 * @throws AppError ROUTE_NOT_FOUND outside of the sandbox, REQUEST_NOT_FOUND
 */
export function createAdvanceClock(
  deps: Needs,
  { remind, tasks }: DueWork,
): UseCase<'intake', 'sandbox.advance'> {
  const { database, clock, rules } = deps;
  return async ({ referenceTransaction, days }, { caller: { partnerId, clientId } }) => {
    if (!deps.sandbox) throw new AppError({ code: 'ROUTE_NOT_FOUND' });
    const { id, advancedDays } = await database.transaction(async (em) => {
      const [row] = await advance.run(em, { partnerId, referenceTransaction, days });
      if (!row) throw requestNotFound();
      await recordAudit(em, {
        actor: `partner:${clientId}`,
        action: 'sandbox.advance',
        target: `request:${row.id}`,
        details: { days, advancedDays: row.advancedDays },
      });
      return row;
    });
    await remind(id);
    for (const task of tasks) await sweep(database, task);
    await sweepRetention(database, { now: clock(), days: rules.retention });
    await tellPeers(deps);
    const now = new Date(clock().getTime() + advancedDays * DAY_MS);
    return { referenceTransaction, advancedDays, now: now.toISOString() };
  };
}

async function sweep(
  database: Needs['database'],
  { name, text, params, batchRows = 1 }: SweeperTask,
): Promise<void> {
  for (;;) {
    const rows = await database.statement({ name, text, params: params ?? [] });
    if (rows.length < batchRows) return;
  }
}
