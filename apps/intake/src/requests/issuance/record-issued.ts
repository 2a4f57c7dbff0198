import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import type { Message } from '@rubrica/contracts/messages/messages';
import type { CertificateState } from '@rubrica/contracts/services/schemas/generation';
import * as retrievalContract from '@rubrica/contracts/services/schemas/retrieval';
import { DAY_MS, HOUR_MS } from '@rubrica/contracts/shared/durations';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import { crashpoint } from '@rubrica/process/crashpoint';
import type { MessageOutcome } from '@rubrica/wiring';
import { crashPoints } from '../../base/crash-points.ts';
import { planMessage } from '../delivery/plan-message.ts';
import type { RequestsDeps } from '../deps.ts';
import { familyPlans } from '../request/family-plans.ts';
import type { Row } from '../request/one-statement.ts';
import { notAuthentic } from '../request/registered/registered-data.ts';
import { firstReminder } from '../request/reminder-rule.ts';
import type { Observation } from '../request/request.entity.ts';
import { FalseEvent, findCertificate } from '../request/status/find-certificate.ts';
import type { SideEffects } from '../request/write-transition.ts';
import {
  type EndGenerationDeps,
  endGeneration,
  findGenerating,
  type Generating,
  type Issuance,
  type SubscriberLink,
} from './end-generation.ts';

type Issued = Message<'events.certificate.issued'>;

interface RecordIssuedDeps extends EndGenerationDeps, Pick<RequestsDeps, 'clock' | 'peers'> {
  /** Reports an issued certificate to the metrics. */
  readonly onIssued?: (issued: Issuance) => void;
}

/**
 * Records that a request has its certificate, as generation's register states it. A trigger (`keep_renewal`)
 * then makes a superseding due; it depends on no column that could have been changed before.
 */
export function createRecordIssued(deps: RecordIssuedDeps) {
  return async (event: Issued): Promise<MessageOutcome> => {
    // 1. The request still waits for this attempt; otherwise, the event changes nothing.
    const request = await findGenerating(deps.database, event);
    if (!request) return undefined;
    if (request.hasEnded) {
      deps.rows.reportFailed({ table: 'request', id: request.id });
      return { never: notAuthentic() };
    }
    // 2. Generation's register confirms the certificate: an event is no proof.
    const certificate = await findCertificate(deps, request);
    if (certificate?.serialNumber !== event.serialNumber) return { never: new FalseEvent(request.id) };
    // 3. One statement moves the request to its new state, with the copy of the certificate's data, the partner's
    // webhook and the applicant's e-mail. A crash before: the event is redelivered. A crash after: it finds nothing to do.
    const now = deps.clock();
    const sideEffects = planSideEffects(request, { event, certificate, now }, deps);
    await endGeneration(request, { trigger: 'issue', sideEffects, now }, deps);
    deps.onIssued?.(request);
    crashpoint(crashPoints.afterIssuanceOutcome);
    return undefined;
  };
}

function planSideEffects(
  request: Generating,
  {
    event,
    certificate,
    now,
  }: { readonly event: Issued; readonly certificate: CertificateState; readonly now: Date },
  deps: RecordIssuedDeps,
): SideEffects {
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
  { reminders }: RecordIssuedDeps['rules'],
): Date | 'infinity' {
  const dates = { notBefore: new Date(notBefore), notAfter: new Date(notAfter) };
  const certificate = { requestId, ...dates, certificateAdvancedDays: 0 };
  return firstReminder(certificate, reminders.spreadHours * HOUR_MS) ?? 'infinity';
}

/**
 * Returns the column with the end of the partner's retrieval period: days from issuance, which is when the
 * certificate begins.
 */
function retrievalColumns(family: Family, { notBefore }: { readonly notBefore: string }): Row {
  if (!familyPlans[family].isRetrieved) return {};
  const endsAt = new Date(notBefore).getTime() + retrievalContract.retrievalDays * DAY_MS;
  return { retrieval_until: new Date(endsAt) };
}

/** Days for which the file can be downloaded. Generation keeps it at least as long. */
const downloadDays = 7;

/**
 * Updates that remove the secrets of earlier e-mails, which the new one replaces. The statement does not see
 * its own new row.
 */
const earlierSecretUpdates = [
  'update message set sealed_secret = null from request where message.request_id = request.id',
  'update renewal_link set sealed_token = null from request where renewal_id = request.id',
];

/**
 * Returns the side effects of issuing a certificate whose password the applicant chose: days of download, and
 * an e-mail about it.
 */
function notifySubscriber(
  request: SubscriberLink & { readonly id: string },
  { id, now }: { id: string; now: Date },
): SideEffects {
  if (!request.hasOwnPassword) return {};
  const downloadUntil = new Date(now.getTime() + downloadDays * DAY_MS);
  const columns = { download_until: downloadUntil };
  if (!request.subscriberLink) return { columns };
  const { insert, message } = planMessage({
    ...request.subscriberLink,
    id,
    requestId: request.id,
    channel: 'email',
    template: 'certificate-ready',
    language: request.language,
    secretUntil: downloadUntil,
    now,
  });
  return { columns, inserts: [insert], messages: [message], updates: earlierSecretUpdates };
}
