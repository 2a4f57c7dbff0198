import { runStatement } from '@rubrica/database';
import type { UseCase } from '@rubrica/wiring';
import { stateNotAllowed } from '../../base/errors.ts';
import { hashLinkToken } from '../../base/hash-link-token.ts';
import type { RequestsDeps } from '../deps.ts';
import { buildStatement } from '../request/one-statement.ts';
import { issueTicket, planTicket } from './claim-ticket.ts';
import type { LinkDeps } from './link-store.ts';
import { tryCode } from './try-code.ts';

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
    const ticket = await issueTicket(deps, { tokenSha256, peer });
    const attempt = { tokenSha256, sealedCode, state: 'OPEN', staysGood: true } as const;
    const checked = await tryCode(deps, attempt, async ({ em, claim: { requestId }, now }) => {
      const { insert, right } = planTicket(ticket, { requestId, purpose: 'claim', now });
      const change = { sql: 'select id from request where id = :requestId', params: { requestId } };
      await runStatement(em, buildStatement(change, { inserts: [insert], messages: [] }));
      return right;
    });
    if (checked) return checked.done;
    throw stateNotAllowed((await deps.links.find(deps.database, tokenSha256, deps.clock())).status);
  };
}
