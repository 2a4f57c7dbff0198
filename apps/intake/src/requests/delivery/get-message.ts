import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { type RowGuard, statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import { letterMessage } from '../../access/letters/letter-message.ts';
import { isAuthentic } from '../../base/is-authentic.ts';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { RequestsDeps } from '../deps.ts';
import {
  isAuthentic as isRequestAuthentic,
  registeredSql,
  type StoredRegistration,
} from '../request/registered/registered-data.ts';
import { historySql, type RequestHistory } from '../request/registered/request-history.ts';
import { isRunningOut } from '../request/renewals.ts';
import type { Details, Request } from '../request/request.entity.ts';
import { shownDeadline } from '../request/shown-deadline.ts';
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
  /** Recipient of links, as the request has it. */
  readonly linkRecipient: string | null;
  readonly code: Readonly<Record<string, unknown>> | null;
  readonly advancedDays: number;
  readonly isOwnRenewal: boolean;
  /** The end of the certificate by the real clock, while it is about to come: null once it is revoked or renewed. */
  readonly runsOutAt: string | null;
  readonly notAfter: string | null;
  readonly serialNumber: string | null;
  readonly subscriberName: string;
}

interface StoredMessage extends Omit<FoundMessage, 'code'> {
  /** End of the code that the message carries to its telephone; null where it carries none. */
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
  case when ${isRunningOut} then not_after - make_interval(hours => 24 * certificate_advanced_days) end as "runsOutAt",
  not_after as "notAfter", serial_number as "serialNumber",
  concat_ws(' ', details ->> 'applicantName', details ->> 'applicantLastName', details ->> 'applicantSecondLastName')
    as "subscriberName",
  coalesce(details ->> 'email', details ->> 'emailAddress') as "linkRecipient",
  (select to_jsonb(claim_code) from claim_code where claim_code.id = message.id and digest is not null) as code
from message join request on request.id = message.request_id join partner on partner.id = request.partner_id
where message.id = :messageId`,
});

/** To when what the message carries is good; null: it was overtaken, by another or by what became of the request. */
type GoodUntil = (row: StoredMessage) => string | null;

/** A link goes to the request's own address alone: the message's row is no proof of where it may go. */
function goesToApplicant({ to, linkRecipient }: StoredMessage): boolean {
  return to === linkRecipient;
}

function whileOpen(row: StoredMessage): string | null {
  return row.status === 'APPROVED' && goesToApplicant(row) ? row.claimExpiresAt : null;
}

function whileDownloadable(row: StoredMessage): string | null {
  return row.status === 'GENERATED' && goesToApplicant(row) ? row.downloadUntil : null;
}

function whileInHand(row: StoredMessage): string | null {
  return row.codeExpiresAt;
}

function whileRunningOut(row: StoredMessage): string | null {
  return goesToApplicant(row) ? row.runsOutAt : null;
}

/** The data may have been others while the code was made. */
function isContact({ email, emailAddress, secondEmail, cellphoneNumber }: Details, to: string): boolean {
  return [email, emailAddress, secondEmail, cellphoneNumber].includes(to);
}

/** A code goes where it was made to go, by its own row, which has a MAC over that. */
function codeEnd({ code, to, details }: FoundMessage, rows: Pick<RowGuard, 'isIntact'>): string | null {
  if (code === null || code.recipient_sha256 !== sha256Hex(to) || !isContact(details, to)) return null;
  return isAuthentic(rows, 'claim_code', code) ? String(code.expires_at) : null;
}

const goodUntil = {
  claim: whileOpen,
  'claim-reminder': whileOpen,
  'certificate-ready': whileDownloadable,
  'claim-code': whileInHand,
  'download-code': whileInHand,
  'revoke-code': whileInHand,
  'renewal-code': whileInHand,
  'end-reminder': whileRunningOut,
  'renewal-reminder': whileRunningOut,
} as const satisfies Record<Message['template'], GoodUntil>;

/** Nothing of ours changes a recipient: it was written in the database. */
function isMisdirected({ code, ...row }: StoredMessage & Pick<FoundMessage, 'code'>): boolean {
  if (row.sealedSecret === null) return false;
  if (goodUntil[row.template] !== whileInHand) return !goesToApplicant(row);
  if (!isContact(row.details, row.to)) return true;
  return code !== null && code.recipient_sha256 !== null && code.recipient_sha256 !== sha256Hex(row.to);
}

/** What was signed is shown as it is, whatever the clock of the request says. */
function certificateOf({ template, runsOutAt, ...row }: StoredMessage, now: Date) {
  if (goodUntil[template] !== whileRunningOut || runsOutAt === null || row.serialNumber === null) return {};
  const daysLeft = Math.ceil((Date.parse(runsOutAt) - now.getTime()) / DAY_MS);
  return { certificate: { subscriberName: row.subscriberName, serialNumber: row.serialNumber, daysLeft } };
}

/** Codes are on no clock of the request's own. */
function shownUntil(expiresAt: Date, row: StoredMessage): Date {
  if (goodUntil[row.template] === whileRunningOut && row.notAfter !== null) return new Date(row.notAfter);
  return row.codeExpiresAt === null ? shownDeadline(expiresAt, row) : expiresAt;
}

type GetMessage = UseCase<'intake', 'messages.get'>;

/**
 * One message as the notifier writes it. Its link or code is left out once the message has been overtaken: a link
 * that was replaced has no secret any more, the rest is a matter of state and of time.
 * @throws AppError REQUEST_NOT_FOUND; SERVICE_UNAVAILABLE while its request is not authentic
 */
export function createGetMessage(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'rows' | 'consoleUrl' | 'baseUrl'>,
): GetMessage {
  const { database, clock, rows } = deps;
  return async ({ messageId }) => {
    const [found] = await find.run(database, { messageId });
    if (!found) return toOperator(messageId, deps);
    const row = { ...found, codeExpiresAt: codeEnd(found, rows) };
    // What its data say is as registered, or nothing is sent.
    if (!isRequestAuthentic(rows, row.stored, row.history))
      throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
    if (isMisdirected(row)) rows.reportFailed({ table: 'message', id: messageId });
    const until = goodUntil[row.template](row);
    const now = clock();
    const isOver = until === null || (goodUntil[row.template] === whileRunningOut && new Date(until) <= now);
    const expiresAt = isOver ? null : new Date(until);
    const { requestId, channel, template, language, to, applicantName } = row;
    const { partnerId, partnerName, partnerEmail } = row;
    return {
      ...{ messageId, requestId, channel, template, language, to, applicantName },
      ...{ partnerId, partnerName, partnerEmail },
      ...(row.isOwnRenewal && template === 'certificate-ready'
        ? { linkPrefix: new URL('/renew/', deps.baseUrl).href }
        : {}),
      expiresAt: expiresAt && shownUntil(expiresAt, row).toISOString(),
      sealedSecret: expiresAt !== null && now < expiresAt ? row.sealedSecret : null,
      ...certificateOf(row, now),
    };
  };
}

async function toOperator(messageId: string, deps: Parameters<typeof letterMessage>[1]) {
  const letter = await letterMessage(messageId, deps);
  if (letter) return letter;
  throw new AppError({ code: 'REQUEST_NOT_FOUND' });
}
