import { findClaim, lockClaim } from './find-claim.ts';
import type { LinkKind } from './link-kind.ts';

export const claimLinks: LinkKind = { find: findClaim, lock: lockClaim };
