import type { EntityManager } from '@mikro-orm/postgresql';
import type { StatementTarget } from '@rubrica/database';
import type { FoundClaim } from './find-claim.ts';

/** How links of one kind are found: those of claims, or those with which subscribers renew. */
export interface LinkKind {
  /** @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED, REQUEST_STATE_NOT_ALLOWED where it is dead */
  find(target: StatementTarget, tokenSha256: string, now: Date): Promise<FoundClaim>;
  /** The same with what it is for locked, and the moment after the wait. */
  lock(
    em: EntityManager,
    tokenSha256: string,
    clock: () => Date,
  ): Promise<FoundClaim & { readonly now: Date }>;
}

/** For what is done alike with links of both. */
export interface OfLinks {
  readonly links: LinkKind;
}
