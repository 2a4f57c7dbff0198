import { recordAudit } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../../context.ts';
import { lockPartner } from '../access/end-rights.ts';
import { PartnerKeyEntity } from './partner-key.entity.ts';
import { type ReadKey, readPublicKey } from './read-public-key.ts';

type AddKey = OperatorUseCase<'partners.addKey'>;
type Needs = Pick<IntakeDeps, 'database' | 'clock' | 'newId'>;

/** One in use, one to come, and one of another system. */
const mostKeys = 3;

/** @throws AppError FIELD_INVALID for what is no such key, REQUEST_STATE_NOT_ALLOWED for a fourth one or the same again */
export function createAddKey(deps: Needs): AddKey {
  return async ({ id, key: given, reason }, { caller: operator }) => {
    const key = readKey(given);
    const keyId = deps.newId();
    const now = deps.clock();
    await deps.database.transaction(async (em) => {
      // Locked, so that two additions at once do not each find a free place.
      await lockPartner(em, id);
      const inForce = await em.find(PartnerKeyEntity, { partnerId: id, removedAt: null });
      if (inForce.some(({ thumbprint }) => thumbprint === key.thumbprint))
        throw notAllowed('The partner has this key already');
      if (inForce.length >= mostKeys)
        throw notAllowed(`The partner has ${mostKeys} keys already; remove one first`);
      em.create(PartnerKeyEntity, { id: keyId, partnerId: id, ...key, createdAt: now, removedAt: null });
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.addKey',
        target: `partner:${id}`,
        reason,
        details: { keyId, algorithm: key.algorithm, thumbprint: key.thumbprint },
      });
    });
    return { keyId, algorithm: key.algorithm, thumbprint: key.thumbprint, createdAt: now.toISOString() };
  };
}

function readKey(given: Parameters<typeof readPublicKey>[0]): ReadKey {
  const key = readPublicKey(given);
  if (!('rejection' in key)) return key;
  throw new AppError({ code: 'FIELD_INVALID', publicMessage: `key ${key.rejection}` });
}

function notAllowed(publicMessage: string): AppError {
  return new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', publicMessage });
}
