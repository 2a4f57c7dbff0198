import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { runStatement } from '@rubrica/database';
import type { RequestsDeps } from '../deps.ts';
import { buildStatement } from '../request/one-statement.ts';
import { hashTicket, issueTicket, isTicketValid, planTicket } from './claim-ticket.ts';
import type { LinkDeps } from './link-store.ts';
import type { Proof } from './prove-claim.ts';

type RenewRetrievalDeps = Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'rows'> & LinkDeps;

/**
 * Issues the download ticket again for a repeated claim: the answer that carried it was lost, or the button
 * was tapped twice. Only the ticket with which the claim was made entitles to it; a link, or a used code,
 * proves nothing any more.
 */
export async function renewRetrieval(
  deps: RenewRetrievalDeps,
  repeated: Proof & { readonly tokenSha256: string; readonly peer: ServiceName },
) {
  const { sealedRight: sealedTicket, tokenSha256, peer } = repeated;
  if (sealedTicket === undefined) return null;
  const secretSha256 = await hashTicket(deps.keyring, { sealedTicket, tokenSha256 });
  const ticket = await issueTicket(deps, { tokenSha256, peer });
  return deps.database.transaction(async (em) => {
    const { requestId, renewalOf, state, now } = await deps.links.lock(em, tokenSha256, deps.clock);
    const isClaimed = state === 'IN_PROGRESS' || state === 'ISSUED';
    // A renewal was made with the ticket of the request that it renews.
    const requestIds = renewalOf === null ? [requestId] : [requestId, renewalOf];
    const presented = { secretSha256, tokenSha256, requestIds, purpose: 'claim', now } as const;
    if (!isClaimed || !(await isTicketValid(em, presented, deps.rows))) return null;
    const planned = planTicket(ticket, { requestId, purpose: 'download', now });
    const change = { sql: 'select id from request where id = :requestId', params: { requestId } };
    await runStatement(em, buildStatement(change, { inserts: [planned.insert], messages: [] }));
    return planned.ticket;
  });
}
