import type { EntityManager } from '@mikro-orm/postgresql';
import type { AdministratorChange } from '@rubrica/approvals/administrator-change';
import { recordAudit } from '@rubrica/audit/log';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process/errors';
import type { AccessDeps } from '../../deps.ts';
import { viewPartner } from '../partner-view.ts';
import { endRights, lockPartner } from '../tokens/end-partner-tokens.ts';
import { type PartnerKey, PartnerKeyEntity } from './partner-key.entity.ts';

type RemoveKeyDeps = Pick<AccessDeps, 'database' | 'rows' | 'clock'>;

async function findKey(em: EntityManager, id: string, partnerId: string): Promise<PartnerKey> {
  const key = await em.findOne(PartnerKeyEntity, { id, partnerId });
  if (!key) throw new AppError({ code: 'REQUEST_NOT_FOUND', text: createText('partner.keyNotFound') });
  return key;
}

/**
 * Removes a key and ends the tokens issued for it. The last key of a partner whose secret is disabled can be
 * removed too: a stolen key must never wait for a new one.
 * @throws AppError REQUEST_NOT_FOUND
 */
export function createRemoveKey(
  deps: RemoveKeyDeps,
): AdministratorChange<'partners.removeKey', { readonly removedAt: string }> {
  return {
    async loadBefore(em, { id, keyId }) {
      // Locked, so that of two concurrent removals the second finds the key removed.
      await lockPartner(em, id);
      const { thumbprint, removedAt } = await findKey(em, keyId, id);
      return { thumbprint, removedAt: removedAt?.toISOString() ?? null };
    },
    async make(em, { id, keyId, reason }, operator) {
      const partner = await lockPartner(em, id);
      const key = await findKey(em, keyId, id);
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
      return { removedAt };
    },
    answer: ({ removedAt }, { keyId }) => ({ keyId, removedAt }),
    loadPresent: ({ id }) => viewPartner(deps, id),
  };
}
