import { recordAudit } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../../context.ts';
import { endRights, lockPartner } from '../access/end-rights.ts';
import { PartnerKeyEntity } from './partner-key.entity.ts';

type RemoveKey = OperatorUseCase<'partners.removeKey'>;
type Needs = Pick<IntakeDeps, 'database' | 'clock'>;

/**
 * The tokens that the key gave end with it. Also the last key of a partner whose secret is switched off: a stolen key must never wait for a new one.
 * @throws AppError REQUEST_NOT_FOUND
 */
export function createRemoveKey(deps: Needs): RemoveKey {
  return ({ id, keyId, reason }, { caller: operator }) =>
    deps.database.transaction(async (em) => {
      const partner = await lockPartner(em, id);
      const key = await em.findOne(PartnerKeyEntity, { id: keyId, partnerId: id });
      if (!key)
        throw new AppError({ code: 'REQUEST_NOT_FOUND', publicMessage: 'The partner has no such key' });
      if (key.removedAt === null) endRights(partner);
      key.removedAt ??= deps.clock();
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.removeKey',
        target: `partner:${id}`,
        reason,
        details: { keyId, thumbprint: key.thumbprint },
      });
      return { keyId, removedAt: key.removedAt.toISOString() };
    });
}
