import { storedEntrySql } from '@rubrica/audit/entries';
import type { Status, ValidationStatus } from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database/connection';
import type { EntryGuard, StoredEntry } from '@rubrica/database/entries';
import type { RowGuard } from '@rubrica/database/guarded';
import { lease } from '@rubrica/database/lease';
import { statement, toColumns } from '@rubrica/database/statement';
import type { Logger } from '@rubrica/process/log';
import type { Clock } from '@rubrica/process/time';
import { auditLog } from '../../../base/audit-log.ts';
import { type PeriodicJob, startPeriodicJob } from '../../../base/periodic-job.ts';
import { planTransition } from '../plan-transition.ts';
import { transitionStatement } from '../write-transition.ts';
import { type Adoptable, type AdoptionResult, adoptRequest } from './adopt-request.ts';
import type { Decision } from './decision.ts';
import { findDecisionInForce } from './decision-in-force.ts';
import { outlinesSql } from './evidence-outline.ts';
import { openStatuses } from './open-statuses.ts';
import { createPendingDecision } from './pending-decision.ts';
import { protectRegistered, registeredSql, toRegistered } from './registered-data.ts';
import { historySql } from './request-history.ts';

const batchRows = 200;

type FoundAdoptable = Omit<Adoptable, 'approvedAt'> & {
  /** Approvals on the audit chain, up to the chain's end at the upgrade of the schema. */
  readonly approved: readonly StoredEntry[];
};

function withApproval({ approved, ...request }: FoundAdoptable, entries: EntryGuard): Adoptable {
  const times = approved.filter(entries.counts).map(({ at }) => Date.parse(at));
  return { ...request, approvedAt: times.length === 0 ? null : new Date(Math.max(...times)).toISOString() };
}

const everyMs = 5_000;
/**
 * SQL that is true if nothing happened to the request since the owner of the schema recorded it. Digests are
 * costly: evaluated once per row.
 */
const isAsUpgradedSql = `(exists (select from request_at_upgrade
    where request_id = request.id and digest = digest_request(request))
  and not exists (select from timeline where request_id = request.id and timeline.id > data_upgrade.timeline_id))`;
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Finds requests without a MAC that are as the owner of the schema recorded them at the upgrade, newest
 * first. `data_upgrade` allows it for a day. Until `mixed_until`, while copies of the previous release still
 * run, it also finds requests that they wrote or changed since. Any other request without a MAC is not
 * authentic: nothing is issued, sent or released for it.
 */
const find = statement<{ readonly before: string; readonly onlyOpen: boolean }, FoundAdoptable>({
  name: 'find-adoptable-requests',
  sql: `
select request.id, request.status, request.validation_status as "validationStatus", updated_at as "updatedAt", family, failed_step as "failedStep", fence,
  generation_attempt as "generationAttempt", ${registeredSql('request')} as stored,
  ${historySql('request.id')} as history, ${outlinesSql('request.id')} as outlines,
  sealed_password as "sealedPassword", supersede_due_at is not null as "supersedeIsDue",
  review_policy as "reviewPolicy", review_reason as "reviewReason", observations, upgraded."isAsUpgraded",
  (select coalesce(jsonb_agg(${storedEntrySql(auditLog.table, 'audit')}), '[]') from audit
    where coalesce(case when target like 'request:%' then substr(target, 9) end, details ->> 'requestId') = request.id::text
      and action in ('requests.approve', 'reviews.approve') and chain_sequence <= data_upgrade.audit_sequence) as approved,
  (select max(timeline.at) from timeline
    where timeline.request_id = request.id and timeline.validation_status <> 'COMPLETED') as "unapprovedAt",
  array(select review_approval.id from review_approval
    where review_approval.request_id = request.id and attempt = validation_attempt) as approvals
from request cross join data_upgrade
  cross join lateral (select ${isAsUpgradedSql} as "isAsUpgraded" offset 0) as upgraded
where now() < ends_at and erased_at is null and request.id < :before and ${lease.isFree}
  and (request.status in (${openStatuses}) or (data_mac is null and not :onlyOpen::boolean))
  and (data_mac is null or (now() < mixed_until and updated_at >= began_at))
  and (now() < mixed_until or upgraded."isAsUpgraded")
order by request.id desc limit ${batchRows}`,
});

/** Asked first, so that requests are not read through once the time is over. */
const findTime = statement<Record<never, never>, { readonly isOpen: boolean }>({
  name: 'time-to-adopt-requests',
  sql: 'select now() < ends_at as "isOpen" from data_upgrade',
});

interface AdoptedRow {
  readonly id: string;
  readonly fence: number;
  readonly passwordSha256: string | null;
  readonly evidenceSha256: string | null;
  readonly supersedes: boolean;
  readonly version: number;
  readonly mac: string;
  readonly decision: string | null;
  readonly restsOnNothing: boolean;
}
const adoptedColumns = [
  'id',
  'fence',
  'passwordSha256',
  'evidenceSha256',
  'supersedes',
  'version',
  'mac',
  'decision',
  'restsOnNothing',
] as const satisfies (keyof AdoptedRow)[];

/**
 * Writes the adopted requests. A request that another worker has leased in between is left for the next run.
 */
const write = statement<{ readonly [Name in keyof AdoptedRow]: readonly AdoptedRow[Name][] }>({
  name: 'adopt-requests',
  sql: `
update request set password_sha256 = adopted.password_sha256, evidence_sha256 = adopted.evidence_sha256,
  supersedes = adopted.supersedes, data_version = adopted.version, data_mac = adopted.mac,
  decision = adopted.decision::jsonb,
  failed_step = case when adopted.rests_on_nothing and status = 'ERROR' then 'validation' else failed_step end
from unnest(:id::uuid[], :fence::int[], :passwordSha256::text[], :evidenceSha256::text[], :supersedes::boolean[],
    :version::int[], :mac::text[], :decision::text[], :restsOnNothing::boolean[])
  as adopted (id, fence, password_sha256, evidence_sha256, supersedes, version, mac, decision, rests_on_nothing)
where request.id = adopted.id and request.fence = adopted.fence`,
});

export interface AdoptDeps {
  readonly database: Pick<Database, 'statement' | 'entries'>;
  readonly rows: RowGuard;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly rules: { readonly errorWindowDays: number };
}

/**
 * Adopts requests of the previous release, once, while `data_upgrade` allows it. A request that nothing
 * proves to have passed is validated again.
 * @param options.onlyOpen skips those that have ended, of which there are many
 * @returns number of requests whose MAC is new or changed
 */
export async function adoptRequests(
  deps: AdoptDeps,
  options: { readonly onlyOpen: boolean },
): Promise<number> {
  const [time] = await findTime.run(deps.database, {});
  if (!time?.isOpen) return 0;
  let count = 0;
  for (let before = highestId; ; ) {
    const found = await find.run(deps.database, { ...options, before });
    const judged = found.map((request) => withApproval(request, deps.database.entries));
    const adopted = judged.filter((request) => !isOwn(request, deps.rows)).map(planAdoption);
    const plain = adopted.filter(({ next }) => next !== 'validate');
    if (plain.length > 0) {
      const rows = plain.map((adoption) => toAdoptedRow(adoption, deps.rows));
      await write.run(deps.database, toColumns(rows, adoptedColumns));
    }
    for (const adoption of adopted) if (adoption.next === 'validate') await validateAgain(deps, adoption);
    count += adopted.length;
    const last = found.at(-1);
    if (last === undefined || found.length < batchRows) return count;
    before = last.id;
  }
}

type PlannedAdoption = AdoptionResult & { readonly request: Adoptable };

function planAdoption(request: Adoptable): PlannedAdoption {
  return { request, ...adoptRequest(request) };
}

/**
 * Returns whether this release wrote the request, with the decision that its state needs. Then nothing is
 * left to do, and there is no cause for an alarm.
 */
function isOwn({ stored, status, history, validationStatus }: Adoptable, rows: RowGuard): boolean {
  if (stored.data_mac !== protectRegistered(rows, toRegistered(stored)).data_mac) return false;
  const outcome = neededOutcome(status, validationStatus);
  const quiet = { isIntact: () => true, reportFailed: () => {} };
  return outcome === undefined || findDecisionInForce(quiet, stored, { history, outcome }) !== null;
}

function neededOutcome(status: Status, validationStatus: ValidationStatus): Decision['outcome'] | undefined {
  if (validationStatus === 'MANUALLY_VALIDATING') return 'REVIEW';
  return status === 'APPROVED' || status === 'GENERATING' ? 'PASSED' : undefined;
}

function toAdoptedRow({ request: { id, fence }, data, next }: PlannedAdoption, rows: RowGuard): AdoptedRow {
  const { data_mac, decision } = protectRegistered(rows, data);
  const { passwordSha256, evidenceSha256, supersedes, version } = data;
  return {
    ...{ id, fence, passwordSha256, evidenceSha256, supersedes, version },
    mac: String(data_mac),
    decision: decision as string | null,
    restsOnNothing: next === 'rest',
  };
}

async function validateAgain(
  { database, rows, clock, newId, rules }: AdoptDeps,
  { request, data }: PlannedAdoption,
): Promise<void> {
  const { id, fence, status } = request;
  const state = {
    ...{ id, status, validationStatus: 'COMPLETED' as const, callbackUrl: data.callbackUrl },
    ...{ validationAttempt: data.validationAttempt, generationAttempt: request.generationAttempt },
  };
  const plan = planTransition(state, 'validateAgain', { newId });
  const { validationAttempt } = plan;
  const now = clock();
  const decision = createPendingDecision({ ...data, validationAttempt }, request.history, now);
  const renewed = { ...data, version: data.version + 1, validationAttempt, decision };
  const columns = protectRegistered(rows, renewed);
  const { passwordSha256: password_sha256, evidenceSha256: evidence_sha256, supersedes } = data;
  const { entries } = database;
  const context = { now, entries, rows, actor: 'service:intake', errorWindowDays: rules.errorWindowDays };
  const sideEffects = { columns: { ...columns, password_sha256, evidence_sha256, supersedes } };
  await database.statement(transitionStatement({ id, fence }, plan, context, sideEffects));
}

/** Adopts the open requests before anything else, and the rest in the background, until the day is over. */
export async function startAdopting(
  deps: AdoptDeps & { readonly logger: Pick<Logger, 'info' | 'error'> },
): Promise<PeriodicJob> {
  const { logger } = deps;
  const run = async (onlyOpen: boolean) => {
    const count = await adoptRequests(deps, { onlyOpen });
    if (count > 0) logger.info({ count }, 'requests of the previous release adopted');
  };
  await run(true);
  return startPeriodicJob(() => run(false), { everyMs, what: 'request adoption', logger });
}
