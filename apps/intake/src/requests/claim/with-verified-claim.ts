import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import { ticketPurposes } from './claim-state.ts';
import { hashTicket, isTicketValid } from './claim-ticket.ts';
import type { CodePurpose } from './code-rules.ts';
import { isSamePurposeSql } from './sent-codes.ts';
import { type CodeAttempt, type TryCodeDeps, tryCode, type VerifiedClaim } from './try-code.ts';

/** Proof that an applicant presents with the link: a code, or the ticket that one has brought. */
export interface Proof {
  readonly sealedCode?: string | undefined;
  readonly sealedRight?: string | undefined;
}

type Attempt = Proof & Pick<CodeAttempt, 'tokenSha256' | 'state'>;

/** Uses up the codes of a claim by ticket: they have served, though none was entered with it. */
const useUpAll = statement<{
  readonly requestId: string;
  readonly purpose: CodePurpose;
  readonly now: Date;
}>({
  name: 'use-up-codes',
  sql: `
with used as (
  update claim_code set digest = null, sealed_key = null, used_at = :now
  where request_id = :requestId and digest is not null and ${isSamePurposeSql} returning id
)
update message set sealed_secret = null from used where message.id = used.id`,
});

/** Creates the error for a ticket that is expired, or was never issued: the page asks for a new code. */
export function createTicketExpired(): AppError {
  return new AppError({
    code: 'OTP_EXPIRED',
    text: createText('request.codeTooOld'),
  });
}

async function withTicket<Done>(
  deps: TryCodeDeps,
  { tokenSha256, state, sealedRight }: Attempt & { readonly sealedRight: string },
  work: (unlocked: VerifiedClaim) => Promise<Done>,
): Promise<{ readonly done: Done } | undefined> {
  const secretSha256 = await hashTicket(deps.keyring, { sealedRight, tokenSha256 });
  return deps.database.transaction(async (em: EntityManager) => {
    const { now, ...claim } = await deps.links.lock(em, tokenSha256, deps.clock);
    const purpose = ticketPurposes[claim.state];
    const { codePurpose } = claim;
    if (claim.state !== state || purpose === undefined || codePurpose === undefined) return undefined;
    const presented = { secretSha256, tokenSha256, requestIds: [claim.requestId], purpose, now };
    if (!(await isTicketValid(em, presented, deps.rows))) throw createTicketExpired();
    if (purpose === 'claim')
      await useUpAll.run(em, { requestId: claim.requestId, purpose: codePurpose, now });
    return { done: await work({ em, claim, now }) };
  });
}

/**
 * Does `work` for a caller with a right code, or with a ticket, in the same transaction and under the
 * request's lock. The code is used up.
 * @returns undefined if the request is not in `state`; nothing was tried then
 * @throws AppError OTP_INVALID, OTP_EXPIRED, OTP_ATTEMPTS_EXCEEDED, CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED
 */
export async function withVerifiedClaim<Done>(
  deps: TryCodeDeps,
  { sealedCode, sealedRight, ...attempt }: Attempt,
  work: (unlocked: VerifiedClaim) => Promise<Done>,
): Promise<{ readonly done: Done } | undefined> {
  if (sealedRight !== undefined) return withTicket(deps, { ...attempt, sealedRight }, work);
  if (sealedCode === undefined) throw createTicketExpired();
  return tryCode(deps, { ...attempt, sealedCode }, work);
}
