import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import { runStatement } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import type { z } from 'zod';
import { stateNotAllowed } from '../../base/errors.ts';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import { sha256Hex } from '../../base/sha256-hex.ts';
import { planMessage } from '../delivery/plan-message.ts';
import type { RequestsDeps } from '../deps.ts';
import { applicantActor } from '../request/actors.ts';
import { buildStatement } from '../request/one-statement.ts';
import { findActiveTerms, requireTerms } from '../request/terms-acceptance.ts';
import { timelineInsert } from '../request/timeline-note.ts';
import { isSamePurposeSql } from './code-history.ts';
import { type CodePurpose, codeRules, computeNextCodeAt, findLockEnd, type SentCode } from './code-rules.ts';
import { type CreatedCode, createCode } from './code-secret.ts';
import type { FoundClaim, LinkDeps } from './find-claim.ts';
import { selectCodeTarget } from './recipients.ts';
import type { RevocationCaller } from './revocation/revocation-caller.ts';

type Input = z.output<typeof claimsContract.sendCodeInput>;
type SendClaimCode = UseCase<'intake', 'claims.sendCode'>;
export type SendCodeDeps = Pick<
  RequestsDeps,
  'database' | 'clock' | 'newId' | 'rules' | 'rows' | 'keyring' | 'peers'
> &
  LinkDeps;

const sendings = {
  claim: { template: 'claim-code', trigger: 'sendClaimCode' },
  download: { template: 'download-code', trigger: 'sendDownloadCode' },
  revoke: { template: 'revoke-code', trigger: 'sendRevokeCode' },
  renew: { template: 'renewal-code', trigger: 'sendRenewalCode' },
} as const satisfies Readonly<Record<CodePurpose, object>>;

/**
 * Plans a code and the message that carries it, by one id, as rows. The caller has ended the code that it
 * replaces.
 */
export function planCode(
  options: {
    id: string;
    purpose: CodePurpose;
    code: CreatedCode;
    claim: Pick<FoundClaim, 'requestId' | 'status' | 'validationStatus'>;
    target: { channel: 'sms' | 'email'; recipient: string };
    /** Caller of a revocation. */
    asker?: RevocationCaller;
    language: Input['language'];
    now: Date;
  },
  rows: Pick<RowGuard, 'protect'>,
) {
  const { id, purpose, code, claim, target, asker, language, now } = options;
  const { requestId } = claim;
  const expiresAt = new Date(now.getTime() + codeRules.ttlMs);
  const { digest, sealedKey, sealed } = code;
  const { way = null, browserSha256 = null, addressSha256 = null } = asker ?? {};
  const recipientSha256 = sha256Hex(target.recipient);
  const guarded = {
    id,
    requestId,
    purpose,
    way,
    browserSha256,
    recipientSha256,
    expiresAt,
    digest,
    sealedKey,
  };
  const row = {
    ...{
      id,
      request_id: requestId,
      purpose,
      sent_at: now,
      expires_at: expiresAt,
      digest,
      sealed_key: sealedKey,
    },
    ...{
      way,
      browser_sha256: browserSha256,
      address_sha256: addressSha256,
      recipient_sha256: recipientSha256,
    },
    ...rows.protect('claim_code', guarded),
  };
  const { template, trigger } = sendings[purpose];
  const { insert, message } = planMessage({
    ...target,
    id,
    requestId,
    language,
    now,
    template,
    sealedSecret: sealed,
    secretUntil: expiresAt,
  });
  const inserts = [
    { table: 'claim_code', rows: [row] },
    insert,
    timelineInsert({ ...claim, trigger, actor: applicantActor, now }),
  ];
  const change = {
    sql: 'update request set language = :language where id = :requestId returning id',
    params: { requestId, language },
  };
  return { expiresAt, written: buildStatement(change, { inserts, messages: [message] }) };
}

const endEarlier = statement<{ readonly requestId: string; readonly purpose: CodePurpose }>({
  name: 'end-earlier-code',
  sql: `
with ended as (
  update claim_code set digest = null, sealed_key = null
  where request_id = :requestId and digest is not null and ${isSamePurposeSql}
  returning id
)
update message set sealed_secret = null from ended where message.id = ended.id`,
});

/** @throws AppError REQUEST_STATE_NOT_ALLOWED, RATE_LIMITED, OTP_ATTEMPTS_EXCEEDED */
function requirePurpose(claim: FoundClaim, options: { now: Date; intervalSeconds: number }): CodePurpose {
  const purpose = claim.codePurpose;
  if (purpose === undefined) throw stateNotAllowed(claim.status);
  const waitMs = computeNextCodeAt(claim.codeHistory, options).getTime() - options.now.getTime();
  if (waitMs <= 0) return purpose;
  throw new AppError({
    code: findLockEnd(claim.codeHistory, options.now) ? 'OTP_ATTEMPTS_EXCEEDED' : 'RATE_LIMITED',
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

/**
 * Sends a code for what the link is valid for now. It replaces the previous code; its digest and its message
 * are committed under the request's lock, after the calls to other services. No code is sent for a claim that
 * is not possible yet, because there are no terms to accept.
 * @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED, REQUEST_STATE_NOT_ALLOWED, RATE_LIMITED,
 *   OTP_ATTEMPTS_EXCEEDED, NO_ACTIVE_TERMS, SERVICE_UNAVAILABLE
 */
export function createSendClaimCode(deps: SendCodeDeps): SendClaimCode {
  const { database, clock, newId, rules, rows, keyring, peers, links } = deps;
  return async ({ sealedToken, language }, { peer }) => {
    const tokenSha256 = await hashLinkToken({ keyring }, sealedToken, { purpose: 'claim-token', peer });
    const intervalSeconds = rules.codeIntervalSeconds;
    const started = clock();
    const seen = await links.find(database, tokenSha256, started);
    if (requirePurpose(seen, { now: started, intervalSeconds }) !== 'download') {
      requireTerms(await findActiveTerms(peers, seen.certificateType));
    }
    const id = newId();
    const code = await createCode(keyring, { requestId: seen.requestId, id });
    return database.transaction(async (em) => {
      const { now, ...claim } = await links.lock(em, tokenSha256, clock);
      const purpose = requirePurpose(claim, { now, intervalSeconds });
      const target = selectCodeTarget(claim.details, rules.claimCodeChannel);
      await endEarlier.run(em, { ...claim, purpose });
      const { expiresAt, written } = planCode({ id, purpose, code, claim, target, language, now }, rows);
      await runStatement(em, written);
      const sent: SentCode = { ...code, id, purpose, sentAt: now, expiresAt, tries: 0, usedAt: null };
      const { codes, timelineSentAt, triedAt } = claim.codeHistory;
      const history = { triedAt, codes: [...codes, sent], timelineSentAt: [...timelineSentAt, now] };
      return {
        sentTo: target.masked,
        channel: target.channel,
        expiresAt: expiresAt.toISOString(),
        nextCodeAt: computeNextCodeAt(history, { now, intervalSeconds }).toISOString(),
      };
    });
  };
}
