import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { runStatement } from '@rubrica/database';
import type { RequestsDeps } from '../deps.ts';
import { oneStatement } from '../request/one-statement.ts';
import { hashOfRight, hasRight, makeRight, planRight } from './claim-right.ts';
import type { OfLinks } from './link-kind.ts';
import type { Proof } from './unlock.ts';

type Needs = Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'rows'> & OfLinks;

/**
 * The download for who repeats a claim: the answer that brought it was lost, or the button was tapped twice. For the
 * right alone that the claim was made with; a link, or a code that is used up, proves nothing any more.
 */
export async function renewRetrieval(
  deps: Needs,
  repeated: Proof & { readonly tokenSha256: string; readonly peer: ServiceName },
) {
  const { sealedRight, tokenSha256, peer } = repeated;
  if (sealedRight === undefined) return null;
  const secretSha256 = await hashOfRight(deps.keyring, { sealedRight, tokenSha256 });
  const made = await makeRight(deps, { tokenSha256, peer });
  return deps.database.transaction(async (em) => {
    const { requestId, renewalOf, state, now } = await deps.links.lock(em, tokenSha256, deps.clock);
    const isClaimed = state === 'IN_PROGRESS' || state === 'ISSUED';
    // A renewal was made by the right of the request that it renews.
    const requestIds = renewalOf === null ? [requestId] : [requestId, renewalOf];
    const shown = { secretSha256, tokenSha256, requestIds, purpose: 'claim', now } as const;
    if (!isClaimed || !(await hasRight(em, shown, deps.rows))) return null;
    const { insert, right } = planRight(made, { requestId, purpose: 'download', now });
    const change = { sql: 'select id from request where id = :requestId', params: { requestId } };
    await runStatement(em, oneStatement(change, { inserts: [insert], messages: [] }));
    return right;
  });
}
