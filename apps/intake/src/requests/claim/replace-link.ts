import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { runStatement } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import { stateNotAllowed } from '../../base/errors.ts';
import { MessageEntity } from '../delivery/message.entity.ts';
import { buildStatement } from '../request/one-statement.ts';
import type { Request } from '../request/request.entity.ts';
import { timelineInsert } from '../request/timeline-note.ts';
import { type ClaimToken, linkColumns, linkRow, planClaimMail } from './claim-link.ts';
import { getLinkRecipient } from './recipients.ts';

/** Maximum number of resends by the partner, and again by the applicant. */
export const maxResends = 5;

const endCodes = statement<{ readonly requestId: string }>({
  name: 'end-codes',
  sql: 'update claim_code set digest = null, sealed_key = null where request_id = :requestId and digest is not null',
});

/** @throws AppError RESEND_LIMIT_EXCEEDED, or RATE_LIMITED with the seconds that are left */
function checkResend(
  previous: { readonly count: number; readonly linkSentAt: Date | null },
  options: { now: Date; intervalSeconds: number },
): void {
  if (previous.count >= maxResends) throw new AppError({ code: 'RESEND_LIMIT_EXCEEDED' });
  const sinceMs = options.now.getTime() - (previous.linkSentAt?.getTime() ?? 0);
  const leftMs = options.intervalSeconds * 1000 - sinceMs;
  if (leftMs <= 0) return;
  throw new AppError({
    code: 'RATE_LIMITED',
    text: createText('request.linkSentRecently', {
      count: options.intervalSeconds,
    }),
    retryAfterSeconds: Math.ceil(leftMs / 1000),
  });
}

interface Replacement {
  readonly token: ClaimToken;
  readonly mailId: string;
  /** Actor of the resend: `partner`, or `applicantActor`. */
  readonly actor: string;
  /** Number of resends that this actor has had. */
  readonly count: number;
  readonly ownResends: 0 | 1;
  readonly now: Date;
  readonly intervalSeconds: number;
  readonly rows: Pick<RowGuard, 'protect'>;
}

/**
 * Gives a locked request another link and mails it to the address on file. The earlier link ends with it; the
 * end of the claim window stays.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED, RESEND_LIMIT_EXCEEDED, RATE_LIMITED
 */
export async function replaceLink(em: EntityManager, request: Request, replacement: Replacement) {
  const { id: requestId, claimExpiresAt, language, linkSentAt } = request;
  if (request.status !== 'APPROVED' || claimExpiresAt === null) throw stateNotAllowed(request.status);
  const { token, mailId, actor, count, ownResends, now, intervalSeconds, rows } = replacement;
  checkResend({ count, linkSentAt }, { now, intervalSeconds });
  const recipient = getLinkRecipient(request.details);
  const mail = planClaimMail({ requestId, recipient, token, language, id: mailId, now });
  // The new link ends the earlier ones, and the codes that were requested on their pages.
  await em.nativeUpdate(MessageEntity, { requestId }, { sealedSecret: null });
  await endCodes.run(em, { requestId });
  const change = {
    sql: `update request set claim_token_sha256 = :claim_token_sha256, claim_link_mac = :claim_link_mac,
      link_sent_at = :link_sent_at, own_resend_count = own_resend_count + :ownResends::integer where id = :requestId returning id`,
    params: { requestId, ...linkColumns(rows, { requestId, token, now }), ownResends },
  };
  const entry = timelineInsert({ ...request, requestId, trigger: 'resendLink', actor, now });
  const inserts = [mail.insert, linkRow(requestId, { token, claimExpiresAt }), entry];
  await runStatement(em, buildStatement(change, { inserts, messages: [mail.message] }));
  return { recipient, claimExpiresAt };
}
