import type { EntityManager } from '@mikro-orm/postgresql';
import type { StatementTarget } from '@rubrica/database';
import type { FoundClaim } from './find-claim.ts';

/** Link whose request is locked, and the time after the wait. */
export type LockedClaim = FoundClaim & { readonly now: Date };

/** Access to links of one kind: those of claims, or those with which subscribers renew. */
export interface LinkStore {
  /** @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED, REQUEST_STATE_NOT_ALLOWED if it is dead */
  find(target: StatementTarget, tokenSha256: string, now: Date): Promise<FoundClaim>;
  lock(em: EntityManager, tokenSha256: string, clock: () => Date): Promise<LockedClaim>;
}

/** Dependency of use cases that work with links of either kind. */
export interface LinkDeps {
  readonly links: LinkStore;
}
