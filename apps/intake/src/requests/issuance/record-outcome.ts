import { createCatalogueText, createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import type { Message } from '@rubrica/contracts/messages/messages';
import type { CertificateState } from '@rubrica/contracts/services/schemas/generation';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { FenceLost, statement } from '@rubrica/database';
import { crashpoint } from '@rubrica/process';
import type { MessageOutcome } from '@rubrica/wiring';
import { findUncertifiable } from '../../base/certified-text.ts';
import { crashPoints } from '../../base/crash-points.ts';
import type { RequestsDeps } from '../deps.ts';
import { familyPlans, toBodyName } from '../request/family-plans.ts';
import { awaitsSlot, orderNextCertificates } from '../request/issuance-slots.ts';
import { type PlanOptions, planTransition, type RequestState } from '../request/plan-transition.ts';
import { notAuthentic } from '../request/registered/registered-data.ts';
import { hasEndedSql } from '../request/registered/request-history.ts';
import { firstReminder } from '../request/reminder-rule.ts';
import type { Details, Observation } from '../request/request.entity.ts';
import type { Trigger } from '../request/state-machine.ts';
import { FalseEvent, findCertificate } from '../request/status/find-certificate.ts';
import {
  type SideEffects,
  type TransitionContext,
  transitionStatement,
} from '../request/write-transition.ts';
import { notifySubscriber, type SubscriberLink, subscriberLinkColumns } from './notify-subscriber.ts';
import { retrievalColumns } from './retrieval-columns.ts';

type Issued = Message<'events.certificate.issued'>;
type Failed = Message<'events.certificate.failed'>;
export interface Issuance {
  readonly family: Family;
  /** Seconds since its registration. */
  readonly ageSeconds: number;
  /** Seconds since generation was ordered to issue it. */
  readonly orderSeconds: number;
}

type RecordDeps = Pick<RequestsDeps, 'database' | 'clock' | 'newId' | 'rules' | 'rows' | 'peers'> & {
  /** Reports an issued certificate to the metrics. */
  readonly onIssued?: (issued: Issuance) => void;
};

interface Generating extends RequestState, SubscriberLink, Issuance {
  /** True if a step of its timeline has ended it: nothing is issued for it any more. */
  readonly hasEnded: boolean;
  /** True if requests of the partner wait for a slot; see `awaitsSlot`. */
  readonly othersWait: boolean;
  readonly fence: number;
  readonly partnerId: string;
  readonly observations: readonly Observation[];
  readonly details: Details;
}

const findGenerating = statement<{ readonly requestId: string; readonly attempt: number }, Generating>({
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

type Reason = Pick<PlanOptions, 'code' | 'text'> & Pick<TransitionContext, 'failedStep' | 'fields'>;

interface Outcome {
  readonly trigger: Trigger;
  readonly reason?: Reason;
  readonly sideEffects?: (now: Date) => SideEffects;
}

/**
 * Records an outcome.
 * @throws FenceLost if the request changed in between: the event must be redelivered and judged anew
 */
async function record(deps: RecordDeps, request: Generating, { trigger, reason, sideEffects }: Outcome) {
  const { database, clock, newId, rules } = deps;
  crashpoint(crashPoints.beforeIssuanceOutcome);
  const now = clock();
  const plan = planTransition(request, trigger, { ...reason, newId });
  const { errorWindowDays, retention } = rules;
  const { entries } = database;
  const context = {
    ...reason,
    now,
    entries,
    rows: deps.rows,
    actor: 'service:generation',
    errorWindowDays,
    retention,
  };
  const rows = await database.statement(transitionStatement(request, plan, context, sideEffects?.(now)));
  if (rows.length === 0) throw new FenceLost({ table: 'request', key: request.id, fence: request.fence });
  if (request.othersWait) await orderNextCertificates(database, request.partnerId);
}

const cappedText = {
  ISSUER: createText('request.endsWithIssuer'),
  APPOINTMENT: createText('request.endsWithAppointment'),
} as const;

/** Lists the differences between the certificate and the request. */
function differences({ cappedBy, truncated }: Issued): { code: string; text: ErrorText }[] {
  const cut = createText('request.shortened', {
    fields: truncated.join(', '),
  });
  return [
    ...(cappedBy ? [{ code: 'VALIDITY_CAPPED', text: cappedText[cappedBy] }] : []),
    ...(truncated.length > 0 ? [{ code: 'SUBJECT_SHORTENED', text: cut }] : []),
  ];
}

/** Replaces the differences that registration predicted with the actual ones. */
function mergeObservations(before: readonly Observation[], event: Issued, now: Date): Observation[] {
  const found = differences(event);
  const others = before.filter(({ code }) => !found.some((difference) => difference.code === code));
  const createdDate = now.toISOString();
  return [
    ...others,
    ...found.map(
      ({ code, text }) =>
        ({ type: 'WARNING', code, message: renderEnglish(text), text, createdDate }) as const,
    ),
  ];
}

/** Computes the time of the first reminder, in the form of its column. */
function nextReminderAt(
  requestId: string,
  { notBefore, notAfter }: CertificateState,
  { reminders }: RecordDeps['rules'],
): Date | 'infinity' {
  const dates = { notBefore: new Date(notBefore), notAfter: new Date(notAfter) };
  const certificate = { requestId, ...dates, certificateAdvancedDays: 0 };
  return firstReminder(certificate, reminders.spreadHours * HOUR_MS) ?? 'infinity';
}

/**
 * Records that a request has its certificate, as generation's register states it. A trigger (`keep_renewal`)
 * then makes a superseding due; it depends on no column that could have been changed before. The current
 * attempt is the inbox. An event that comes twice, or late, finds no request generating under that attempt
 * and changes nothing.
 */
export function createRecordIssued(deps: RecordDeps) {
  return async (event: Issued): Promise<MessageOutcome> => {
    const [request] = await findGenerating.run(deps.database, event);
    if (!request) return undefined;
    if (request.hasEnded) {
      deps.rows.reportFailed({ table: 'request', id: request.id });
      return { never: notAuthentic() };
    }
    const certificate = await findCertificate(deps, request);
    if (certificate?.serialNumber !== event.serialNumber) return { never: new FalseEvent(request.id) };
    await record(deps, request, {
      trigger: 'issue',
      sideEffects: (now) => {
        const ready = notifySubscriber(request, { id: deps.newId(), now });
        const columns = {
          serial_number: certificate.serialNumber,
          not_before: certificate.notBefore,
          not_after: certificate.notAfter,
          // Generation keeps it inside the bundle; here it is no longer needed.
          sealed_password: null,
          next_reminder_at: nextReminderAt(request.id, certificate, deps.rules),
          observations: JSON.stringify(mergeObservations(request.observations, event, now)),
          ...retrievalColumns(request.family, certificate),
        };
        return { ...ready, columns: { ...columns, ...ready.columns } };
      },
    });
    deps.onIssued?.(request);
    crashpoint(crashPoints.afterIssuanceOutcome);
    return undefined;
  };
}

/**
 * Codes of failures that generation may report. Other codes would let the partner change data that intake has
 * checked.
 */
const generationCodes: readonly ErrorCode[] = [
  'KEY_GENERATION_FAILED',
  'CERTIFICATE_LINT_FAILED',
  'CERTIFICATE_SIGNING_FAILED',
  'P12_PACKAGING_FAILED',
  'APPOINTMENT_EXPIRED',
  'INTERNAL_ERROR',
];

/** Explains a failure. Names the fields that a certificate cannot hold, if they caused the failed lint. */
function explainFailure({ code }: Failed, { family, details }: Generating): Reason {
  const text = createCatalogueText(code);
  const failed = { code, text, failedStep: 'generation' } as const;
  const found = code === 'CERTIFICATE_LINT_FAILED' ? findUncertifiable(details) : [];
  if (found.length === 0) return failed;
  const named = found.map((fault) => ({ ...fault, field: toBodyName(family, fault.field) }));
  // Fields that a mismatch of names lets the partner correct: none in other families, and none of a company.
  const correctable = familyPlans[family].correctable.NAME_MISMATCH ?? [];
  return {
    ...failed,
    text: createText('request.sentences', {
      texts: [text, ...named.map(({ field, expectation }) => createFieldText(field, expectation))],
    }),
    fields: named.map(({ field }) => field).filter((field) => correctable.includes(field)),
  };
}

/** Records that an attempt has ended without a certificate, unless generation's register has one. */
export function createRecordFailed(deps: RecordDeps) {
  return async (event: Failed): Promise<MessageOutcome> => {
    const [request] = await findGenerating.run(deps.database, event);
    if (!request) return undefined;
    const certificate = await findCertificate(deps, request);
    const isCertified = certificate !== null && certificate.status !== 'REVOKED';
    if (isCertified || !generationCodes.includes(event.code)) return { never: new FalseEvent(request.id) };
    await record(deps, request, { trigger: 'failGeneration', reason: explainFailure(event, request) });
    return undefined;
  };
}
