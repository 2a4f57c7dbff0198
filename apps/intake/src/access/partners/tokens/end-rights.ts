import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Partner, PartnerEntity } from '../partner.entity.ts';
import { partnerNotFound } from '../partner-not-found.ts';

/**
 * A partner in order to change what it may. Locked: of two changes at the same moment the later one must see that the
 * earlier has raised `gen`, or a token made between them would outlive the right that the later one ends.
 * @throws AppError REQUEST_NOT_FOUND
 */
export async function lockPartner(em: EntityManager, id: string): Promise<Partner> {
  const partner = await em.findOne(PartnerEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!partner) throw partnerNotFound();
  return partner;
}

/** A right of the partner ends, and with it all tokens that it has: whoever may still get one gets a new one. */
export function endRights(partner: Partner): void {
  partner.gen += 1;
}
