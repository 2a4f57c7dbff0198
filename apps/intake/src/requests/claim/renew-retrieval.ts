import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { runStatement } from '@rubrica/database';
import type { RequestsDeps } from '../deps.ts';
import { oneStatement } from '../request/one-statement.ts';
import { hashOfRight, hasRight, makeRight, planRight } from './claim-ticket.ts';
import type { OfLinks } from './link-store.ts';
import type { Proof } from './with-verified-claim.ts';

type RenewRetrievalDeps = Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'rows'> & OfLinks;

/**
 * Issues the download ticket again for a repeated claim: the answer that carried it was lost, or the button
 * was tapped twice. Only the ticket with which the claim was made entitles to it; a link, or a used code,
 * proves nothing any more.
 */
export async function renewRetrieval(
  deps: RenewRetrievalDeps,
  repeated: Proof & { readonly tokenSha256: string; readonly peer: ServiceName },
) {
  const { sealedRight, tokenSha256, peer } = repeated;
  if (sealedRight === undefined) return null;
  const secretSha256 = await hashOfRight(deps.keyring, { sealedRight, tokenSha256 });
  const ticket = await makeRight(deps, { tokenSha256, peer });
  return deps.database.transaction(async (em) => {
    const { requestId, renewalOf, state, now } = await deps.links.lock(em, tokenSha256, deps.clock);
    const isClaimed = state === 'IN_PROGRESS' || state === 'ISSUED';
    // A renewal was made with the ticket of the request that it renews.
    const requestIds = renewalOf === null ? [requestId] : [requestId, renewalOf];
    const presented = { secretSha256, tokenSha256, requestIds, purpose: 'claim', now } as const;
    if (!isClaimed || !(await hasRight(em, presented, deps.rows))) return null;
    const { insert, right } = planRight(ticket, { requestId, purpose: 'download', now });
    const change = { sql: 'select id from request where id = :requestId', params: { requestId } };
    await runStatement(em, oneStatement(change, { inserts: [insert], messages: [] }));
    return right;
  });
}
