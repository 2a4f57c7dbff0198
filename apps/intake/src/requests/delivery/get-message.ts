import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { RowGuard } from '@rubrica/database/guarded';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import { readLetterMessage } from '../../access/letters/read-letter-message.ts';
import { isAuthentic } from '../../base/is-authentic.ts';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { RequestsDeps } from '../deps.ts';
import {
  isAuthentic as isRequestAuthentic,
  registeredSql,
  type StoredRegistration,
} from '../request/registered/registered-data.ts';
import { historySql, type RequestHistory } from '../request/registered/request-history.ts';
import { isExpiringSql } from '../request/renewals.ts';
import type { Details, Request } from '../request/request.entity.ts';
import { toShownDeadline } from '../request/shown-deadline.ts';
import type { Message } from './message.entity.ts';

interface FoundMessage
  extends Pick<Message, 'requestId' | 'channel' | 'template' | 'language' | 'sealedSecret'>,
    Pick<Request, 'status'> {
  readonly to: string;
  readonly partnerId: string;
  readonly details: Details;
  readonly stored: StoredRegistration;
  readonly history: RequestHistory;
  readonly applicantName: string;
  readonly partnerName: string;
  readonly partnerEmail: string;
  readonly claimExpiresAt: string | null;
  readonly downloadUntil: string | null;
  /** Recipient of links, as the request states it. */
  readonly linkRecipient: string | null;
  readonly code: Readonly<Record<string, unknown>> | null;
  readonly advancedDays: number;
  readonly isOwnRenewal: boolean;
  /**
   * End of the certificate by the real clock, while it is near; null once the certificate is revoked or
   * renewed.
   */
  readonly runsOutAt: string | null;
  readonly notAfter: string | null;
  readonly serialNumber: string | null;
  readonly subscriberName: string;
}

interface StoredMessage extends Omit<FoundMessage, 'code'> {
  /** End of the code that the message carries to its recipient; null if it carries none. */
  readonly codeExpiresAt: string | null;
}

const find = statement<{ readonly messageId: string }, FoundMessage>({
  name: 'get-message',
  groupCommit: true,
  sql: `
select request_id as "requestId", channel, template, message.language, recipient as "to", sealed_secret as "sealedSecret",
  status, details, ${registeredSql('request')} as stored, ${historySql('request.id')} as history,
  request.partner_id as "partnerId", partner.name as "partnerName", partner.email as "partnerEmail", coalesce(details ->> 'applicantName', '') as "applicantName",
  claim_expires_at as "claimExpiresAt", download_until as "downloadUntil", advanced_days as "advancedDays",
  claimed_at_registration as "isOwnRenewal",
  case when ${isExpiringSql} then not_after - make_interval(hours => 24 * certificate_advanced_days) end as "runsOutAt",
  not_after as "notAfter", serial_number as "serialNumber",
  concat_ws(' ', details ->> 'applicantName', details ->> 'applicantLastName', details ->> 'applicantSecondLastName')
    as "subscriberName",
  coalesce(details ->> 'email', details ->> 'emailAddress') as "linkRecipient",
  (select to_jsonb(claim_code) from claim_code where claim_code.id = message.id and digest is not null) as code
from message join request on request.id = message.request_id join partner on partner.id = request.partner_id
where message.id = :messageId`,
});

/**
 * Function that returns the end of the link or code in a message. It returns null if another message or the
 * state of the request has overtaken it.
 */
type FindSecretEnd = (row: StoredMessage) => string | null;

/**
 * Returns whether a link goes to the request's own address. The message's row is no proof of where it may go.
 */
function goesToApplicant({ to, linkRecipient }: StoredMessage): boolean {
  return to === linkRecipient;
}

function findClaimEnd(row: StoredMessage): string | null {
  return row.status === 'APPROVED' && goesToApplicant(row) ? row.claimExpiresAt : null;
}

function findDownloadEnd(row: StoredMessage): string | null {
  return row.status === 'GENERATED' && goesToApplicant(row) ? row.downloadUntil : null;
}

function findCodeEnd(row: StoredMessage): string | null {
  return row.codeExpiresAt;
}

function findCertificateEnd(row: StoredMessage): string | null {
  return goesToApplicant(row) ? row.runsOutAt : null;
}

/** Returns whether `to` is among the contact data, which may have changed since the code was created. */
function isContact({ email, emailAddress, secondEmail, cellphoneNumber }: Details, to: string): boolean {
  return [email, emailAddress, secondEmail, cellphoneNumber].includes(to);
}

/**
 * Returns the end of a code that goes to the recipient for which it was created; null otherwise. The MAC of
 * the code's own row covers that recipient.
 */
function verifyCodeEnd({ code, to, details }: FoundMessage, rows: Pick<RowGuard, 'isIntact'>): string | null {
  if (code === null || code.recipient_sha256 !== sha256Hex(to) || !isContact(details, to)) return null;
  return isAuthentic(rows, 'claim_code', code) ? String(code.expires_at) : null;
}

const secretEnds = {
  claim: findClaimEnd,
  'claim-reminder': findClaimEnd,
  'certificate-ready': findDownloadEnd,
  'claim-code': findCodeEnd,
  'download-code': findCodeEnd,
  'revoke-code': findCodeEnd,
  'renewal-code': findCodeEnd,
  'end-reminder': findCertificateEnd,
  'renewal-reminder': findCertificateEnd,
} as const satisfies Record<Message['template'], FindSecretEnd>;

/**
 * Returns whether the recipient was changed. This service never changes one, so it happened in the database.
 */
function isMisdirected({ code, ...row }: StoredMessage & Pick<FoundMessage, 'code'>): boolean {
  if (row.sealedSecret === null) return false;
  if (secretEnds[row.template] !== findCodeEnd) return !goesToApplicant(row);
  if (!isContact(row.details, row.to)) return true;
  return code !== null && code.recipient_sha256 !== null && code.recipient_sha256 !== sha256Hex(row.to);
}

/** Describes the certificate of a reminder, as it was signed, whatever the clock of the request says. */
function describeCertificate({ template, runsOutAt, ...row }: StoredMessage, now: Date) {
  if (secretEnds[template] !== findCertificateEnd || runsOutAt === null || row.serialNumber === null)
    return {};
  const daysLeft = Math.ceil((Date.parse(runsOutAt) - now.getTime()) / DAY_MS);
  return { certificate: { subscriberName: row.subscriberName, serialNumber: row.serialNumber, daysLeft } };
}

/** Returns the deadline to show. Codes do not follow the request's own clock. */
function toShownEnd(expiresAt: Date, row: StoredMessage): Date {
  if (secretEnds[row.template] === findCertificateEnd && row.notAfter !== null) return new Date(row.notAfter);
  return row.codeExpiresAt === null ? toShownDeadline(expiresAt, row) : expiresAt;
}

type GetMessage = UseCase<'intake', 'messages.get'>;

/**
 * Reads one message for the notifier. Its link or code is left out once the message is overtaken. A replaced
 * link has lost its secret, everything else depends on state and time.
 * @throws AppError REQUEST_NOT_FOUND; SERVICE_UNAVAILABLE while its request is not authentic
 */
export function createGetMessage(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'rows' | 'consoleUrl' | 'baseUrl'>,
): GetMessage {
  const { database, clock, rows } = deps;
  return async ({ messageId }) => {
    const [found] = await find.run(database, { messageId });
    if (!found) return readLetter(messageId, deps);
    const row = { ...found, codeExpiresAt: verifyCodeEnd(found, rows) };
    // Nothing is sent unless the data are as registered.
    if (!isRequestAuthentic(rows, row.stored, row.history))
      throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
    if (isMisdirected(row)) rows.reportFailed({ table: 'message', id: messageId });
    const until = secretEnds[row.template](row);
    const now = clock();
    const isOvertaken =
      until === null || (secretEnds[row.template] === findCertificateEnd && new Date(until) <= now);
    const expiresAt = isOvertaken ? null : new Date(until);
    const { requestId, channel, template, language, to, applicantName } = row;
    const { partnerId, partnerName, partnerEmail } = row;
    return {
      ...{ messageId, requestId, channel, template, language, to, applicantName },
      ...{ partnerId, partnerName, partnerEmail },
      ...(row.isOwnRenewal && template === 'certificate-ready'
        ? { linkPrefix: new URL('/renew/', deps.baseUrl).href }
        : {}),
      expiresAt: expiresAt && toShownEnd(expiresAt, row).toISOString(),
      sealedSecret: expiresAt !== null && now < expiresAt ? row.sealedSecret : null,
      ...describeCertificate(row, now),
    };
  };
}

async function readLetter(messageId: string, deps: Parameters<typeof readLetterMessage>[1]) {
  const letter = await readLetterMessage(messageId, deps);
  if (letter) return letter;
  throw new AppError({ code: 'REQUEST_NOT_FOUND' });
}
