import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { runStatement } from '@rubrica/database/connection';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import { sha256Hex } from '../../../base/sha256-hex.ts';
import type { RequestsDeps } from '../../deps.ts';
import { withinDaySql } from '../code-history.ts';
import { codesCountForMs, computeNextCodeAt, findLockEnd } from '../code-rules.ts';
import { createCode } from '../code-secret.ts';
import { selectCodeTarget } from '../recipients.ts';
import { planCode } from '../send-claim-code.ts';
import { canRequestByNumber, numberLimits } from './code-limits.ts';
import {
  findSubscriber,
  lockSubscriber,
  readCertificateReference,
  type Subscriber,
} from './find-subscriber.ts';
import type { RevocationCaller } from './revocation-caller.ts';
import { withUniformDelay } from './uniform-delay.ts';

type SendRevocationCode = UseCase<'intake', 'revocations.sendCode'>;
type SendRevocationCodeDeps = Pick<
  RequestsDeps,
  'database' | 'clock' | 'newId' | 'rules' | 'rows' | 'keyring'
>;

/**
 * Ends the earlier code of the link, which a new one replaces. Codes by number end by themselves, even if
 * more are requested.
 */
const endEarlierLinkCode = statement<{ readonly requestId: string }>({
  name: 'end-earlier-code-of-link',
  sql: `
with ended as (
  update claim_code set digest = null, sealed_key = null
  where request_id = :requestId and digest is not null and purpose = 'revoke' and way = 'link'
  returning id
)
update message set sealed_secret = null from ended where message.id = ended.id`,
});

const findSent = statement<
  { readonly recipientSha256: string; readonly since: Date },
  { readonly sentAt: string; readonly addressSha256: string | null }
>({
  name: 'find-codes-by-number',
  sql: `select sent_at as "sentAt", address_sha256 as "addressSha256" from claim_code
    where recipient_sha256 = :recipientSha256 and way = 'number' and ${withinDaySql('sent_at')}`,
});

interface SendOptions {
  readonly asker: RevocationCaller;
  readonly recipientSha256: string;
  readonly now: Date;
  readonly intervalSeconds: number;
}

/** @throws AppError RATE_LIMITED, OTP_ATTEMPTS_EXCEEDED */
async function checkLimits(
  target: StatementTarget,
  { codeHistory }: Subscriber,
  sendOptions: SendOptions,
): Promise<void> {
  const { asker, recipientSha256, now } = sendOptions;
  const timelinePerHour = numberLimits.certificate.perHour;
  const waitMs =
    computeNextCodeAt(codeHistory, { ...sendOptions, timelinePerHour }).getTime() - now.getTime();
  if (waitMs > 0) {
    throw new AppError({
      code: findLockEnd(codeHistory, now) ? 'OTP_ATTEMPTS_EXCEEDED' : 'RATE_LIMITED',
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  }
  if (asker.way === 'link') return;
  const { timelineSentAt } = codeHistory;
  const since = new Date(now.getTime() - codesCountForMs);
  const sent = await findSent.run(target, { recipientSha256, since });
  const sentCodes = sent.map(({ sentAt, ...code }) => ({ ...code, sentAt: new Date(sentAt) }));
  if (!canRequestByNumber(sentCodes, { ...asker, timelineSentAt, now }))
    throw new AppError({ code: 'RATE_LIMITED' });
}

/**
 * Sends a code to the telephone on file. With the link of the claim the limits of its own codes apply. By
 * number those of the browser, its address and the telephone apply. By number the answer is the same in every
 * case.
 * @throws AppError with a link only: CLAIM_LINK_INVALID, RATE_LIMITED, OTP_ATTEMPTS_EXCEEDED
 */
export function createSendRevocationCode(deps: SendRevocationCodeDeps): SendRevocationCode {
  const { database, clock, rules, rows, keyring } = deps;
  const send = async (input: Parameters<SendRevocationCode>[0], peer: ServiceName) => {
    const names = await readCertificateReference(input, { keyring, peer });
    const { asker } = names;
    const seen = await findSubscriber(database, names, { now: clock(), rows });
    const recipient = selectCodeTarget(seen.details, rules.claimCodeChannel);
    const recipientSha256 = sha256Hex(recipient.recipient);
    const sendOptions = { asker, recipientSha256, intervalSeconds: rules.codeIntervalSeconds };
    // A refused call waits for no lock: a flood must not fill the pool.
    await checkLimits(database, seen, { ...sendOptions, now: clock() });
    const id = deps.newId();
    const code = await createCode(keyring, { requestId: seen.requestId, id });
    await database.transaction(async (em) => {
      const { now, ...claim } = await lockSubscriber(em, names, { ...seen, clock, rows });
      await checkLimits(em, claim, { ...sendOptions, now });
      if (asker.way === 'link') await endEarlierLinkCode.run(em, claim);
      const { language } = input;
      const codeOptions = {
        id,
        purpose: 'revoke',
        code,
        claim,
        target: recipient,
        asker,
        language,
        now,
      } as const;
      await runStatement(em, planCode(codeOptions, rows).written);
    });
  };
  return async (input, { peer }) => {
    await withUniformDelay(input.target, () =>
      send(input, peer).catch((error: unknown) => {
        if ('sealedToken' in input.target || !(error instanceof AppError)) throw error;
      }),
    );
    return {};
  };
}
