import type { Family } from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database/connection';
import { FenceLost } from '@rubrica/database/lease';
import { statement } from '@rubrica/database/statement';
import { crashpoint } from '@rubrica/process/crashpoint';
import { crashPoints } from '../../base/crash-points.ts';
import type { Language } from '../delivery/plan-message.ts';
import type { RequestsDeps } from '../deps.ts';
import { awaitsSlot, orderNextCertificates } from '../request/issuance-slots.ts';
import { type PlanOptions, planTransition, type RequestState } from '../request/plan-transition.ts';
import { hasEndedSql } from '../request/registered/request-history.ts';
import type { Details, Observation } from '../request/request.entity.ts';
import type { Trigger } from '../request/state-machine.ts';
import {
  type SideEffects,
  type TransitionContext,
  transitionStatement,
} from '../request/write-transition.ts';

/** Link of the claim, as the earlier e-mails carried it, or of the renewal. Only the notifier can open it. */
export interface SubscriberLink {
  readonly subscriberLink: { readonly recipient: string; readonly sealedSecret: string } | null;
  readonly hasOwnPassword: boolean;
  readonly language: Language;
}

/** Request whose certificate is being issued, for the metrics. */
export interface Issuance {
  readonly family: Family;
  /** Seconds since its registration. */
  readonly ageSeconds: number;
  /** Seconds since generation was ordered to issue it. */
  readonly orderSeconds: number;
}

/** Request that waits for the end of an attempt at generation. */
export interface Generating extends RequestState, SubscriberLink, Issuance {
  /** True if a step of its timeline has ended it: nothing is issued for it any more. */
  readonly hasEnded: boolean;
  /** True if requests of the partner wait for a slot; see `awaitsSlot`. */
  readonly othersWait: boolean;
  readonly fence: number;
  readonly partnerId: string;
  readonly observations: readonly Observation[];
  readonly details: Details;
}

/** Columns that are read with the request. The link is null if its mails have lost their secret. */
const subscriberLinkColumns = `language, password_origin = 'HOLDER' as "hasOwnPassword", coalesce((
  select jsonb_build_object('recipient', recipient, 'sealedSecret', sealed_secret) from message
  where message.request_id = request.id and template in ('claim', 'claim-reminder') and sealed_secret is not null
  order by created_at desc limit 1
), (
  select jsonb_build_object('recipient', details ->> 'email', 'sealedSecret', sealed_token) from renewal_link
  where renewal_id = request.id and sealed_token is not null
)) as "subscriberLink"`;

const find = statement<{ readonly requestId: string; readonly attempt: number }, Generating>({
  name: 'find-generating',
  groupCommit: true,
  sql: `
select id, status, validation_status as "validationStatus", validation_attempt as "validationAttempt",
  ${hasEndedSql} as "hasEnded", generation_attempt as "generationAttempt", callback_url as "callbackUrl", fence, partner_id as "partnerId", family, observations, details,
  extract(epoch from now() - created_at)::float8 as "ageSeconds",
  extract(epoch from now() - updated_at)::float8 as "orderSeconds", ${subscriberLinkColumns},
  exists (select from request as waiting where waiting.partner_id = request.partner_id and ${awaitsSlot}) as "othersWait"
from request where id = :requestId and status = 'GENERATING' and generation_attempt = :attempt`,
});

/**
 * Finds the request of an attempt. The current attempt is the inbox: an event that comes twice, or late, finds no request
 * generating under that attempt and changes nothing.
 */
export async function findGenerating(
  database: Pick<Database, 'statement'>,
  { requestId, attempt }: { readonly requestId: string; readonly attempt: number },
): Promise<Generating | undefined> {
  const [request] = await find.run(database, { requestId, attempt });
  return request;
}

export type FailureReason = Pick<PlanOptions, 'code' | 'text'> &
  Pick<TransitionContext, 'failedStep' | 'fields'>;

interface GenerationEnd {
  readonly trigger: Extract<Trigger, 'issue' | 'failGeneration'>;
  readonly reason?: FailureReason;
  readonly sideEffects?: SideEffects;
  readonly now: Date;
}

export type EndGenerationDeps = Pick<RequestsDeps, 'database' | 'newId' | 'rules' | 'rows'>;

/**
 * Ends the generation of a request by one transition, and orders the certificates that waited for its slot.
 * @throws FenceLost if the request changed in between: the event must be redelivered and judged anew
 */
export async function endGeneration(
  request: Generating,
  { trigger, reason, sideEffects, now }: GenerationEnd,
  { database, newId, rules, rows: guard }: EndGenerationDeps,
): Promise<void> {
  crashpoint(crashPoints.beforeIssuanceOutcome);
  const plan = planTransition(request, trigger, { ...reason, newId });
  const { errorWindowDays, retention } = rules;
  const { entries } = database;
  const context = {
    ...reason,
    now,
    entries,
    rows: guard,
    actor: 'service:generation',
    errorWindowDays,
    retention,
  };
  const rows = await database.statement(transitionStatement(request, plan, context, sideEffects));
  if (rows.length === 0) throw new FenceLost({ table: 'request', key: request.id, fence: request.fence });
  if (request.othersWait) await orderNextCertificates(database, request.partnerId);
}
