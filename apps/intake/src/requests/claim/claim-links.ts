import { findClaim, type LinkGuard, lockClaim } from './find-claim.ts';
import type { LinkStore } from './link-store.ts';

/** Creates the access to links of claims. */
export function createClaimLinkStore(rows: LinkGuard): LinkStore {
  return {
    find: (target, tokenSha256, now) => findClaim(target, { tokenSha256, now, rows }),
    lock: (em, tokenSha256, clock) => lockClaim(em, { tokenSha256, clock, rows }),
  };
}
