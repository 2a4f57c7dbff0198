import { say } from '@rubrica/contracts/error-texts/say';
import { runStatement, statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { MessageEntity } from '../delivery/message.entity.ts';
import { refuseBody, stateNotAllowed } from '../errors.ts';
import { toChanged } from '../request/changed-request.ts';
import { oneStatement } from '../request/one-statement.ts';
import type { Request } from '../request/request.entity.ts';
import { findOwn, lockOwn } from '../request/request.repository.ts';
import { timelineNote } from '../request/timeline-note.ts';
import { makeClaimToken, maskEmail, planClaimMail, recipientOf } from './claim-link.ts';

const maximumResends = 5;

const endCodes = statement<{ readonly requestId: string }>({
  name: 'end-codes',
  sql: 'update claim_code set digest = null, sealed_key = null where request_id = :requestId and digest is not null',
});

/** @throws AppError RESEND_LIMIT_EXCEEDED, or RATE_LIMITED with the seconds that are left */
function checkResend(
  request: Pick<Request, 'resendCount' | 'linkSentAt'>,
  options: { now: Date; intervalSeconds: number },
): void {
  if (request.resendCount >= maximumResends) throw new AppError({ code: 'RESEND_LIMIT_EXCEEDED' });
  const sinceMs = options.now.getTime() - (request.linkSentAt?.getTime() ?? 0);
  const leftMs = options.intervalSeconds * 1000 - sinceMs;
  if (leftMs <= 0) return;
  throw new AppError({
    code: 'RATE_LIMITED',
    publicMessage: say('The link was sent a moment ago; it can be sent again after {count} seconds', {
      count: options.intervalSeconds,
    }),
    retryAfterSeconds: Math.ceil(leftMs / 1000),
  });
}

type ResendLink = UseCase<'intake', 'requests.resendLink'>;

/**
 * Sends the claim mail again with a new link; the earlier link dies, the end of the claim window stays.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED, RESEND_LIMIT_EXCEEDED, RATE_LIMITED
 */
export function createResendLink(
  deps: Pick<IntakeDeps, 'database' | 'clock' | 'newId' | 'rules' | 'keyring'>,
): ResendLink {
  return async (input, { caller: { partnerId } }) => {
    if (input.faults.length > 0) throw refuseBody(input.faults);
    const own = { ...input, partnerId };
    // What is sealed is bound to the request's id, which the call need not name; a reference never changes its request.
    const { id: requestId } = await findOwn(deps.database.fork(), own);
    const token = await makeClaimToken(deps.keyring, requestId);
    return deps.database.transaction(async (em) => {
      const request = await lockOwn(em, own);
      const { claimExpiresAt } = request;
      if (request.status !== 'APPROVED' || claimExpiresAt === null) throw stateNotAllowed(request.status);
      const now = deps.clock();
      checkResend(request, { now, intervalSeconds: deps.rules.resendIntervalSeconds });
      const recipient = recipientOf(request.details);
      const { language } = request;
      const mail = planClaimMail({ requestId, recipient, token, language, id: deps.newId(), now });
      // The earlier links die with this one's birth, and the codes that were asked for on their pages.
      await em.nativeUpdate(MessageEntity, { requestId }, { sealedSecret: null });
      await endCodes.run(em, { requestId });
      const change = {
        sql: 'update request set claim_token_sha256 = :sha256, link_sent_at = :now where id = :requestId returning id',
        params: { requestId, sha256: token.sha256, now },
      };
      const noted = timelineNote({ ...request, requestId, trigger: 'resendLink', actor: 'partner', now });
      const inserts = [mail.insert, noted];
      await runStatement(em, oneStatement(change, { inserts, messages: [mail.message] }));
      request.resendCount += 1;
      request.version += 1;
      request.updatedAt = now;
      return {
        ...toChanged(request),
        sentTo: maskEmail(recipient),
        resendCount: request.resendCount,
        resendsRemaining: maximumResends - request.resendCount,
        linkExpiresAt: claimExpiresAt.toISOString(),
      };
    });
  };
}
