import { findClaim, type LinkGuard, lockClaim } from './find-claim.ts';
import type { LinkKind } from './link-store.ts';

/** Creates the access to links of claims. */
export function createClaimLinks(rows: LinkGuard): LinkKind {
  return {
    find: (target, tokenSha256, now) => findClaim(target, { tokenSha256, now, rows }),
    lock: (em, tokenSha256, clock) => lockClaim(em, { tokenSha256, clock, rows }),
  };
}
