import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { letterMessage } from '../operators/invitations/letter-message.ts';
import {
  isAuthentic,
  registeredSql,
  type StoredRegistration,
} from '../request/registered/registered-data.ts';
import { isRunningOut } from '../request/renewals.ts';
import type { Details, Request } from '../request/request.entity.ts';
import { shownDeadline } from '../request/shown-deadline.ts';
import type { Message } from './message.entity.ts';

interface StoredMessage
  extends Pick<Message, 'requestId' | 'channel' | 'template' | 'language' | 'sealedSecret'>,
    Pick<Request, 'status'> {
  readonly to: string;
  readonly details: Details;
  readonly stored: StoredRegistration;
  readonly applicantName: string;
  readonly partnerName: string;
  readonly partnerEmail: string;
  readonly claimExpiresAt: string | null;
  readonly downloadUntil: string | null;
  readonly codeExpiresAt: string | null;
  readonly advancedDays: number;
  readonly isOwnRenewal: boolean;
  /** The end of the certificate by the real clock, while it is about to come: null once it is revoked or renewed. */
  readonly runsOutAt: string | null;
  readonly notAfter: string | null;
  readonly serialNumber: string | null;
  readonly subscriberName: string;
}

const find = statement<{ readonly messageId: string }, StoredMessage>({
  name: 'get-message',
  groupCommit: true,
  sql: `
select request_id as "requestId", channel, template, message.language, recipient as "to", sealed_secret as "sealedSecret",
  status, details, ${registeredSql('request')} as stored, partner.name as "partnerName", partner.email as "partnerEmail", coalesce(details ->> 'applicantName', '') as "applicantName",
  claim_expires_at as "claimExpiresAt", download_until as "downloadUntil", advanced_days as "advancedDays",
  claimed_at_registration as "isOwnRenewal",
  case when ${isRunningOut} then not_after - make_interval(hours => 24 * certificate_advanced_days) end as "runsOutAt",
  not_after as "notAfter", serial_number as "serialNumber",
  concat_ws(' ', details ->> 'applicantName', details ->> 'applicantLastName', details ->> 'applicantSecondLastName')
    as "subscriberName",
  (select expires_at from claim_code where claim_code.id = message.id and digest is not null) as "codeExpiresAt"
from message join request on request.id = message.request_id join partner on partner.id = request.partner_id
where message.id = :messageId`,
});

/** To when what the message carries is good; null: it was overtaken, by another or by what became of the request. */
type GoodUntil = (row: StoredMessage) => string | null;

function whileOpen(row: StoredMessage): string | null {
  return row.status === 'APPROVED' ? row.claimExpiresAt : null;
}

function whileDownloadable(row: StoredMessage): string | null {
  return row.status === 'GENERATED' ? row.downloadUntil : null;
}

function whileInHand(row: StoredMessage): string | null {
  return row.codeExpiresAt;
}

function whileRunningOut(row: StoredMessage): string | null {
  return row.runsOutAt;
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
 * @throws AppError REQUEST_NOT_FOUND; SERVICE_UNAVAILABLE while its address is not the registered one
 */
export function createGetMessage(
  deps: Pick<IntakeDeps, 'database' | 'clock' | 'consoleUrl' | 'baseUrl' | 'rows'>,
): GetMessage {
  const { database, clock } = deps;
  return async ({ messageId }) => {
    const [row] = await find.run(database, { messageId });
    if (!row) return toOperator(messageId, deps);
    const until = goodUntil[row.template](row);
    const now = clock();
    assertRecipient(row, messageId, deps);
    const isOver = until === null || (goodUntil[row.template] === whileRunningOut && new Date(until) <= now);
    const expiresAt = isOver ? null : new Date(until);
    const { requestId, channel, template, language, to, applicantName, partnerName, partnerEmail } = row;
    return {
      ...{ messageId, requestId, channel, template, language, to, applicantName, partnerName, partnerEmail },
      ...(row.isOwnRenewal && template === 'certificate-ready'
        ? { linkPrefix: new URL('/renew/', deps.baseUrl).href }
        : {}),
      expiresAt: expiresAt && shownUntil(expiresAt, row).toISOString(),
      sealedSecret: expiresAt !== null && now < expiresAt ? row.sealedSecret : null,
      ...certificateOf(row, now),
    };
  };
}

/**
 * The address of a message is one that was registered, whatever its row says by now.
 * @throws AppError SERVICE_UNAVAILABLE, with an alarm: the message waits until the row is put right
 */
function assertRecipient(
  { to, details, stored }: StoredMessage,
  messageId: string,
  { rows }: Pick<IntakeDeps, 'rows'>,
): void {
  const { email, emailAddress, secondEmail, cellphoneNumber } = details;
  if (isAuthentic(rows, stored)) {
    if ([email, emailAddress, secondEmail, cellphoneNumber].includes(to)) return;
    rows.reject('message', messageId);
  }
  throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
}

async function toOperator(messageId: string, deps: Parameters<typeof letterMessage>[1]) {
  const letter = await letterMessage(messageId, deps);
  if (letter) return letter;
  throw new AppError({ code: 'REQUEST_NOT_FOUND' });
}
