import type { RowGuard } from '@rubrica/database';
import { findClaim, lockClaim } from './find-claim.ts';
import type { LinkKind } from './link-kind.ts';

/** Links of claims. @param rows guard of the codes that come with them */
export function createClaimLinks(rows: Pick<RowGuard, 'isIntact'>): LinkKind {
  return {
    find: (target, tokenSha256, now) => findClaim(target, { tokenSha256, now, rows }),
    lock: (em, tokenSha256, clock) => lockClaim(em, { tokenSha256, clock, rows }),
  };
}
