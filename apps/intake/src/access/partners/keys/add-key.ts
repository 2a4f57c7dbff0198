import type { EntityManager } from '@mikro-orm/postgresql';
import type { AdministratorChange } from '@rubrica/approvals/administrator-change';
import { recordAudit } from '@rubrica/audit/log';
import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { findIntact } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import type { AccessDeps } from '../../deps.ts';
import { toPartnerState, viewPartner } from '../partner-view.ts';
import { lockPartner } from '../tokens/end-partner-tokens.ts';
import { PartnerKeyEntity } from './partner-key.entity.ts';
import { type ReadKey, readPublicKey } from './read-public-key.ts';

type AddedKey = Extract<OperatorOutput<'partners.addKey'>, { keyId: string }>;
type AddKeyDeps = Pick<AccessDeps, 'database' | 'clock' | 'newId' | 'rows'>;

/** Maximum number of keys: one in use, one to come, and one of another system. */
const maxKeys = 3;

/**
 * @throws AppError FIELD_INVALID for an unusable key, REQUEST_STATE_NOT_ALLOWED for a fourth key or a known
 *   one
 */
export function createAddKey(deps: AddKeyDeps): AdministratorChange<'partners.addKey', AddedKey> {
  return {
    async loadBefore(em, { id, key }) {
      // Read first: a private key is refused before any of it is stored for the approver.
      const read = readKey(key);
      // Locked, so that two concurrent additions do not each find a free slot.
      const partner = await lockPartner(em, id);
      await assertSlotFree(em, id, read);
      return { partner: toPartnerState(partner) };
    },
    async make(em, { id, key: given, reason }, operator) {
      const { algorithm, jwk, thumbprint } = readKey(given);
      const keyId = deps.newId();
      const now = deps.clock();
      em.create(PartnerKeyEntity, {
        ...{ id: keyId, partnerId: id, algorithm, jwk, thumbprint },
        createdAt: now,
        removedAt: null,
      });
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.addKey',
        target: `partner:${id}`,
        reason,
        details: { keyId, algorithm, thumbprint },
      });
      return { keyId, algorithm, thumbprint, createdAt: now.toISOString() };
    },
    answer: (added) => added,
    loadPresent: ({ id }) => viewPartner(deps, id),
  };
}

async function assertSlotFree(em: EntityManager, partnerId: string, key: ReadKey): Promise<void> {
  const inForce = await findIntact(em, PartnerKeyEntity, { partnerId, removedAt: null });
  if (inForce.some(({ thumbprint }) => thumbprint === key.thumbprint))
    throw notAllowed(createText('partner.keyKnown'));
  if (inForce.length >= maxKeys) throw notAllowed(createText('partner.keysTooMany', { count: maxKeys }));
}

function readKey(given: Parameters<typeof readPublicKey>[0]): ReadKey {
  const key = readPublicKey(given);
  if (!('rejection' in key)) return key;
  throw new AppError({ code: 'FIELD_INVALID', text: createFieldText('key', key.rejection) });
}

function notAllowed(text: ErrorText): AppError {
  return new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', text });
}
