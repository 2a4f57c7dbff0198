import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { recordAudit } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { endRights, lockPartner } from './access/end-rights.ts';
import { PartnerKeyEntity } from './keys/partner-key.entity.ts';
import type { Partner } from './partner.entity.ts';
import { viewPartner } from './partner-view.ts';

type UpdatePartner = OperatorUseCase<'partners.update'>;
type Input = OperatorInput<'partners.update'>;
type Needs = Pick<IntakeDeps, 'database' | 'clock' | 'partners' | 'rows'>;

/** @throws AppError REQUEST_NOT_FOUND, or REQUEST_STATE_NOT_ALLOWED for a partner that would have no way in left */
export function createUpdatePartner(deps: Needs): UpdatePartner {
  return async (input, { caller: operator }) => {
    const { id, reason, ...changes } = input;
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    await deps.database.transaction(async (em) => {
      const partner = await lockPartner(em, id);
      if (endsRights(partner, input)) endRights(partner);
      if (given.clientSecretEnabled === false) await assertHasKey(em, id);
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
    return viewPartner(deps, id);
  };
}

/** A scope is missing, the secret no longer opens, or the partner is switched off. */
function endsRights(partner: Partner, { scopes, enabled, clientSecretEnabled }: Input): boolean {
  if (enabled === false && partner.enabled) return true;
  if (clientSecretEnabled === false && partner.clientSecretEnabled) return true;
  return scopes !== undefined && partner.scopes.some((scope) => !scopes.includes(scope));
}

async function assertHasKey(em: EntityManager, partnerId: string): Promise<void> {
  // Read, not counted: one that was written past this service opens nothing.
  if ((await em.find(PartnerKeyEntity, { partnerId, removedAt: null })).length > 0) return;
  throw new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    publicMessage: 'The partner has no key: add one before its secret is switched off',
  });
}
