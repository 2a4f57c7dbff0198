import type { EntityManager } from '@mikro-orm/postgresql';
import { runStatement } from '@rubrica/database/connection';
import type { UseCase } from '@rubrica/wiring';
import { stateNotAllowed } from '../../base/errors.ts';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import type { RequestsDeps } from '../deps.ts';
import { buildStatement } from '../request/one-statement.ts';
import { type IssuedTicket, issueTicket, planTicket } from './claim-ticket.ts';
import type { LinkDeps } from './find-claim.ts';
import { type ClaimProof, lockProvenClaim, proveClaim } from './prove-claim.ts';

type CheckCode = UseCase<'intake', 'claims.checkCode'>;
type CheckCodeDeps = Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'rules' | 'rows'> & LinkDeps;

/**
 * Checks a code before the claim, so that a wrong one does not cost the applicant the typed password. A right
 * code is not used up: it ends with the claim, or after its minutes. A concurrent check issues a ticket too.
 * @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED, REQUEST_STATE_NOT_ALLOWED, OTP_INVALID,
 *   OTP_EXPIRED, OTP_ATTEMPTS_EXCEEDED
 */
export function createCheckCode(deps: CheckCodeDeps): CheckCode {
  return async ({ sealedToken, sealedCode }, { peer }) => {
    const tokenSha256 = await hashLinkToken(deps, sealedToken, { purpose: 'claim-token', peer });
    const issued = await issueTicket(deps, { tokenSha256, peer });
    const proof = await proveClaim(deps, { tokenSha256, sealedCode, state: 'OPEN' });
    const ticket =
      proof && (await deps.database.transaction((em) => writeTicket(em, deps, { proof, issued })));
    if (ticket) return ticket;
    throw stateNotAllowed((await deps.links.find(deps.database, tokenSha256, deps.clock())).status);
  };
}

/** @returns undefined if the request has left the state of the proof */
async function writeTicket(
  em: EntityManager,
  deps: CheckCodeDeps,
  { proof, issued }: { readonly proof: ClaimProof; readonly issued: IssuedTicket },
) {
  const claim = await lockProvenClaim(em, deps, proof);
  if (claim === undefined) return undefined;
  const { requestId, now } = claim;
  const { insert, ticket } = planTicket(issued, { requestId, purpose: 'claim', now });
  const change = { sql: 'select id from request where id = :requestId', params: { requestId } };
  await runStatement(em, buildStatement(change, { inserts: [insert], messages: [] }));
  return ticket;
}
