import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Partner, PartnerEntity } from '../partner.entity.ts';
import { partnerNotFound } from '../partner-not-found.ts';

/**
 * Loads and locks a partner in order to change its rights. Of two concurrent changes the later one must see
 * that the earlier one has raised `gen`. Otherwise a token issued between them would outlive the right that
 * the later one ends.
 * @throws AppError REQUEST_NOT_FOUND
 */
export async function lockPartner(em: EntityManager, id: string): Promise<Partner> {
  const partner = await em.findOne(PartnerEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!partner) throw partnerNotFound();
  return partner;
}

/**
 * Ends all tokens of a partner, because one of its rights ends. A client with rights left gets a new token.
 */
export function endRights(partner: Partner): void {
  partner.gen += 1;
}
