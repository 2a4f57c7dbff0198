import type { Status, ValidationStatus } from '@rubrica/contracts/shared/enumerations';
import {
  columnsOf,
  type Database,
  type EntryGuard,
  lease,
  type RowGuard,
  type StoredEntry,
  statement,
  storedEntrySql,
} from '@rubrica/database';
import type { Clock, Logger } from '@rubrica/process';
import { auditLog } from '../../../base/audit-log.ts';
import { type Rounds, startRounds } from '../../../base/rounds.ts';
import { planTransition } from '../plan-transition.ts';
import { transitionStatement } from '../write-transition.ts';
import { type Adoptable, type Adopted, adoptRequest } from './adopt-request.ts';
import type { Decision } from './decision.ts';
import { decisionInForce } from './decision-in-force.ts';
import { outlinesSql } from './evidence-outline.ts';
import { openStatuses } from './open-statuses.ts';
import { pendingDecision } from './pending-decision.ts';
import { protectRegistered, registeredSql, toRegistered } from './registered-data.ts';
import { historySql } from './request-history.ts';

const batchRows = 200;

type FoundAdoptable = Omit<Adoptable, 'approvedAt'> & {
  /** Approvals on the audit chain, up to the end that it had as the schema was upgraded. */
  readonly approved: readonly StoredEntry[];
};

function withApproval({ approved, ...request }: FoundAdoptable, entries: EntryGuard): Adoptable {
  const times = approved.filter(entries.counts).map(({ at }) => Date.parse(at));
  return { ...request, approvedAt: times.length === 0 ? null : new Date(Math.max(...times)).toISOString() };
}

const everyMs = 5_000;
/** SQL: nothing has become of the request since the owner of the schema found it. Digests are costly: evaluated once a row. */
const isAsUpgradedSql = `(exists (select from request_at_upgrade
    where request_id = request.id and digest = digest_request(request))
  and not exists (select from timeline where request_id = request.id and timeline.id > data_upgrade.timeline_id))`;
const first = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Requests without a MAC that are as the owner of the schema found them at the upgrade, the newest first, for the day that
 * `data_upgrade` gives. Until `mixed_until`, while copies of the release before still run, also those that they wrote or changed since.
 * A request without a MAC that is neither is not authentic: nothing is issued, sent or released for it.
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

/** Asked first: the requests are not read through once the time is over. */
const findTime = statement<Record<never, never>, { readonly isOpen: boolean }>({
  name: 'time-to-adopt-requests',
  sql: 'select now() < ends_at as "isOpen" from data_upgrade',
});

interface Sealed {
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
const sealedColumns = [
  'id',
  'fence',
  'passwordSha256',
  'evidenceSha256',
  'supersedes',
  'version',
  'mac',
  'decision',
  'restsOnNothing',
] as const satisfies (keyof Sealed)[];

/** A request that another worker has taken up meanwhile is left for the next round. */
const write = statement<{ readonly [Name in keyof Sealed]: readonly Sealed[Name][] }>({
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
 * Takes over what the release before has written, once, while `data_upgrade` allows it. What nothing proves to have passed
 * is validated again.
 * @param options.onlyOpen without those that have ended, of which there are many
 * @returns how many requests have a MAC now that had none, or another
 */
export async function adoptRequests(
  deps: AdoptDeps,
  options: { readonly onlyOpen: boolean },
): Promise<number> {
  const [time] = await findTime.run(deps.database, {});
  if (!time?.isOpen) return 0;
  let count = 0;
  for (let before = first; ; ) {
    const found = await find.run(deps.database, { ...options, before });
    const judged = found.map((request) => withApproval(request, deps.database.entries));
    const adopted = judged.filter((request) => !isOurs(request, deps.rows)).map(adopting);
    const plain = adopted.filter(({ next }) => next !== 'validate');
    if (plain.length > 0) {
      const rows = plain.map((one) => toSealed(one, deps.rows));
      await write.run(deps.database, columnsOf(rows, sealedColumns));
    }
    for (const one of adopted) if (one.next === 'validate') await validateAgain(deps, one);
    count += adopted.length;
    const last = found.at(-1);
    if (last === undefined || found.length < batchRows) return count;
    before = last.id;
  }
}

type Adopting = Adopted & { readonly request: Adoptable };

function adopting(request: Adoptable): Adopting {
  return { request, ...adoptRequest(request) };
}

/** Written by this release, with the decision that its state needs: nothing is left to do, and nothing to be alarmed of. */
function isOurs({ stored, status, history, validationStatus }: Adoptable, rows: RowGuard): boolean {
  if (stored.data_mac !== protectRegistered(rows, toRegistered(stored)).data_mac) return false;
  const outcome = neededOutcome(status, validationStatus);
  const quiet = { isIntact: () => true, reportFailed: () => {} };
  return outcome === undefined || decisionInForce(quiet, stored, { history, outcome }) !== null;
}

function neededOutcome(status: Status, validationStatus: ValidationStatus): Decision['outcome'] | undefined {
  if (validationStatus === 'MANUALLY_VALIDATING') return 'REVIEW';
  return status === 'APPROVED' || status === 'GENERATING' ? 'PASSED' : undefined;
}

function toSealed({ request: { id, fence }, data, next }: Adopting, rows: RowGuard): Sealed {
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
  { request, data }: Adopting,
): Promise<void> {
  const { id, fence, status } = request;
  const state = {
    ...{ id, status, validationStatus: 'COMPLETED' as const, callbackUrl: data.callbackUrl },
    ...{ validationAttempt: data.validationAttempt, generationAttempt: request.generationAttempt },
  };
  const plan = planTransition(state, 'validateAgain', { newId });
  const { validationAttempt } = plan;
  const now = clock();
  const decision = pendingDecision({ ...data, validationAttempt }, request.history, now);
  const again = { ...data, version: data.version + 1, validationAttempt, decision };
  const columns = protectRegistered(rows, again);
  const { passwordSha256: password_sha256, evidenceSha256: evidence_sha256, supersedes } = data;
  const { entries } = database;
  const context = { now, entries, rows, actor: 'service:intake', errorWindowDays: rules.errorWindowDays };
  const sideEffects = { columns: { ...columns, password_sha256, evidence_sha256, supersedes } };
  await database.statement(transitionStatement({ id, fence }, plan, context, sideEffects));
}

/** Takes over what is open before anything else is done, and the rest beside it, until the day is over. */
export async function startAdopting(
  deps: AdoptDeps & { readonly logger: Pick<Logger, 'info' | 'error'> },
): Promise<Rounds> {
  const { logger } = deps;
  const round = async (onlyOpen: boolean) => {
    const count = await adoptRequests(deps, { onlyOpen });
    if (count > 0) logger.info({ count }, 'requests of the release before taken over');
  };
  await round(true);
  return startRounds(() => round(false), { everyMs, what: 'taking over requests', logger });
}
