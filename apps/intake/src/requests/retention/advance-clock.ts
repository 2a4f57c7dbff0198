import { recordAudit } from '@rubrica/audit/log';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { statement } from '@rubrica/database/statement';
import type { SweeperTask } from '@rubrica/database/sweeper';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import { requestNotFound } from '../../base/errors.ts';
import { forgetLinks } from '../claim/dead-link.ts';
import { forgetSecrets, remindApplicants } from '../claim/remind-applicants.ts';
import type { RequestsDeps } from '../deps.ts';
import { type ReminderDeps, remindForRequest } from '../renewal/reminders/remind-subscribers.ts';
import { forgetRenewalLinks } from '../renewal/renewal-link.ts';
import { expireRequests } from '../request/expire-requests.ts';
import { transitions } from '../request/state-machine.ts';
import { orderPeersSql } from './erase-statement.ts';
import { notifyPeers } from './notify-peers.ts';
import { sweepRetention } from './sweep-retention.ts';

interface AdvanceParams {
  readonly partnerId: string;
  readonly referenceTransaction: string;
  readonly days: number;
}

interface AdvancedRow {
  readonly id: string;
  readonly advancedDays: number;
}

const ageSql = 'make_interval(hours => 24 * :days::integer)';
const quoteNames = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');
/**
 * Condition under which `due_at` is a deadline. In other states it wakes work that has stopped, and follows
 * no clock of the request.
 */
const isDeadlineSql = `status in (${quoteNames(transitions.expire.from)})
  or (expires_at is not null and status in (${quoteNames(transitions.expireSteps.from)}))`;
function buildMoveEarlier(...columns: readonly string[]): string {
  return columns.map((column) => `${column} = ${column} - ${ageSql}`).join(', ');
}

/**
 * Advances the clock of a request by moving every instant at which something of it is due. All instants
 * follow the real clock, so that what compares them needs no knowledge of the advance. A new deadline in days
 * adds its instant here. Codes, resends, leases and repeats of webhooks have no such instant.
 */
const advance = statement<AdvanceParams, AdvancedRow>({
  name: 'advance-clock',
  sql: `
with advanced as (
  update request set advanced_days = advanced_days + :days::integer,
    certificate_advanced_days = certificate_advanced_days + case when serial_number is null then 0 else :days::integer end,
    -- Of an older release's certificate: from its beginning on.
    next_reminder_at = coalesce(next_reminder_at, not_before) - ${ageSql},
    due_at = case when ${isDeadlineSql} then due_at - ${ageSql} else due_at end,
    ${buildMoveEarlier('expires_at', 'claim_expires_at', 'download_until', 'retrieval_until', 'evidence_due_at')},
    version = version + 1, retention_version = retention_version + 1
  where partner_id = :partnerId and reference_transaction = :referenceTransaction
  returning id, advanced_days
), reminded as (
  -- A millisecond more, so that none is for a moment where another still stands.
  update claim_reminder set due_at = due_at - ${ageSql} - interval '1 millisecond' from advanced
  where claim_reminder.request_id = advanced.id and done_at is null
), unlinked as (
  update message set ${buildMoveEarlier('secret_until')} from advanced
  where message.request_id = advanced.id and template in ('claim', 'claim-reminder', 'certificate-ready', 'renewal-reminder')
), forgotten as (
  update claim_link set ${buildMoveEarlier('expires_at')} from advanced where claim_link.request_id = advanced.id
), forgotten_renewal as (
  update renewal_link set ${buildMoveEarlier('expires_at')} from advanced where renewal_link.request_id = advanced.id
), told as (${orderPeersSql('advanced')})
select id, advanced_days as "advancedDays" from advanced`,
});

type AdvanceClockDeps = ReminderDeps &
  Pick<RequestsDeps, 'database' | 'clock' | 'rules' | 'sandbox' | 'peers' | 'logger'>;

/** Lists the tasks at deadlines of requests, earliest first: a reminder is sent before the window ends. */
function deadlineTasks({ clock, rules: { retention } }: AdvanceClockDeps): readonly SweeperTask[] {
  return [
    remindApplicants(clock),
    expireRequests({ clock, retention }),
    forgetSecrets(clock),
    forgetLinks(clock),
    forgetRenewalLinks(clock),
  ];
}

/**
 * Lets days pass for one request of the partner, and does at once what became due, in the order of time.
 * @throws AppError ROUTE_NOT_FOUND outside of the sandbox, REQUEST_NOT_FOUND
 */
export function createAdvanceClock(deps: AdvanceClockDeps): UseCase<'intake', 'sandbox.advance'> {
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
    await remindForRequest(deps, id);
    for (const task of deadlineTasks(deps)) await sweep(database, task);
    await sweepRetention(database, { now: clock(), days: rules.retention });
    await notifyPeers(deps);
    const now = new Date(clock().getTime() + advancedDays * DAY_MS);
    return { referenceTransaction, advancedDays, now: now.toISOString() };
  };
}

async function sweep(
  database: AdvanceClockDeps['database'],
  { name, text, params, batchRows = 1 }: SweeperTask,
): Promise<void> {
  for (;;) {
    const rows = await database.statement({ name, text, params: params ?? [] });
    if (rows.length < batchRows) return;
  }
}
