import type { Status } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import type { Message } from './message.entity.ts';

interface Row {
  readonly request_id: string;
  readonly channel: Message['channel'];
  readonly template: Message['template'];
  readonly language: Message['language'];
  readonly recipient: string;
  readonly sealed_secret: string | null;
  readonly applicant_name: string;
  readonly partner_name: string;
  readonly status: Status;
  readonly claim_expires_at: string | null;
  readonly download_until: string | null;
  readonly code_expires_at: string | null;
}

const text = `
select request_id, channel, template, message.language, recipient, sealed_secret, status, partner.name as partner_name,
  coalesce(details ->> 'applicantName', '') as applicant_name, claim_expires_at, download_until,
  (select expires_at from claim_code where claim_code.id = message.id and digest is not null) as code_expires_at
from message join request on request.id = message.request_id join partner on partner.id = request.partner_id
where message.id = $1`;

/** To when what the message carries is good; null: it was overtaken, by another or by what became of the request. */
type GoodUntil = (row: Row) => string | null;

function whileOpen(row: Row): string | null {
  return row.status === 'APPROVED' ? row.claim_expires_at : null;
}

function whileDownloadable(row: Row): string | null {
  return row.status === 'GENERATED' ? row.download_until : null;
}

function whileInHand(row: Row): string | null {
  return row.code_expires_at;
}

const goodUntil = {
  claim: whileOpen,
  'claim-reminder': whileOpen,
  'certificate-ready': whileDownloadable,
  'claim-code': whileInHand,
  'download-code': whileInHand,
} as const satisfies Record<Message['template'], GoodUntil>;

type GetMessage = UseCase<'intake', 'messages.get'>;

/**
 * One message as the notifier writes it. Its link or code is left out once the message has been overtaken: a link
 * that was replaced has no secret any more, the rest is a matter of state and of time.
 * @throws AppError REQUEST_NOT_FOUND
 */
export function createGetMessage({ database, clock }: Pick<IntakeDeps, 'database' | 'clock'>): GetMessage {
  return async ({ messageId }) => {
    const [row] = await database.statement<Row>({ name: 'get-message', text, params: [messageId] });
    if (!row) throw new AppError({ code: 'REQUEST_NOT_FOUND' });
    const until = goodUntil[row.template](row);
    const expiresAt = until === null ? null : new Date(until);
    return {
      messageId,
      requestId: row.request_id,
      channel: row.channel,
      template: row.template,
      language: row.language,
      to: row.recipient,
      applicantName: row.applicant_name,
      partnerName: row.partner_name,
      expiresAt: expiresAt?.toISOString() ?? null,
      sealedSecret: expiresAt !== null && clock() < expiresAt ? row.sealed_secret : null,
    };
  };
}
