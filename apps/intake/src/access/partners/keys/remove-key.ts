import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { recordAudit } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { AdministratorChange } from '@rubrica/wiring/approvals';
import type { AccessDeps } from '../../deps.ts';
import { viewPartner } from '../partner-view.ts';
import { endRights, lockPartner } from '../tokens/end-rights.ts';
import { type PartnerKey, PartnerKeyEntity } from './partner-key.entity.ts';

type Needs = Pick<AccessDeps, 'database' | 'rows' | 'clock'>;

async function keyOf(em: EntityManager, id: string, partnerId: string): Promise<PartnerKey> {
  const key = await em.findOne(PartnerKeyEntity, { id, partnerId });
  if (!key) throw new AppError({ code: 'REQUEST_NOT_FOUND', text: createText('partner.keyNotFound') });
  return key;
}

/**
 * The tokens that the key gave end with it. Also the last key of a partner whose secret is switched off: a stolen key must never wait for a new one.
 * @throws AppError REQUEST_NOT_FOUND
 */
export function createRemoveKey(deps: Needs): AdministratorChange<'partners.removeKey'> {
  return {
    async before(em, { id, keyId }) {
      // Locked, so that of two removals at once the second finds the key removed.
      await lockPartner(em, id);
      const { thumbprint, removedAt } = await keyOf(em, keyId, id);
      return { thumbprint, removedAt: removedAt?.toISOString() ?? null };
    },
    async make(em, { id, keyId, reason }, operator) {
      const partner = await lockPartner(em, id);
      const key = await keyOf(em, keyId, id);
      if (key.removedAt === null) endRights(partner);
      key.removedAt ??= deps.clock();
      const removedAt = key.removedAt.toISOString();
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.removeKey',
        target: `partner:${id}`,
        reason,
        details: { keyId, thumbprint: key.thumbprint },
      });
      return () => ({ keyId, removedAt });
    },
    asItIs: ({ id }) => viewPartner(deps, id),
  };
}
