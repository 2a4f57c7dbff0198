import { recordAudit } from '@rubrica/database';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { PartnerEntity } from './partner.entity.ts';
import { partnerNotFound, viewPartner } from './partner-view.ts';

type UpdatePartner = OperatorUseCase<'partners.update'>;
type Needs = Pick<IntakeDeps, 'database' | 'clock' | 'partners'>;

/** @throws AppError REQUEST_NOT_FOUND */
export function createUpdatePartner(deps: Needs): UpdatePartner {
  return async (input, { caller: operator }) => {
    const { id, reason, ...changes } = input;
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    await deps.database.transaction(async (em) => {
      const partner = await em.findOne(PartnerEntity, { id });
      if (!partner) throw partnerNotFound();
      const now = deps.clock();
      em.assign(partner, { ...given, updatedAt: now });
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.update',
        target: `partner:${id}`,
        reason,
        details: given,
      });
    });
    deps.partners.forget(id);
    return viewPartner(deps.database.fork(), id, deps.clock());
  };
}
