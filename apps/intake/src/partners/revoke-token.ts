import { recordAudit } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { endRights, lockPartner } from './access/end-rights.ts';
import { ApiTokenEntity } from './partner.entity.ts';

type RevokeToken = OperatorUseCase<'partners.revokeToken'>;
type Needs = Pick<IntakeDeps, 'database' | 'clock'>;

/** @throws AppError REQUEST_NOT_FOUND */
export function createRevokeToken(deps: Needs): RevokeToken {
  return ({ tokenId, reason }, { caller: operator }) => {
    return deps.database.transaction(async (em) => {
      const token = await em.findOne(ApiTokenEntity, { id: tokenId });
      if (!token) throw new AppError({ code: 'REQUEST_NOT_FOUND', publicMessage: 'There is no such token' });
      const partner = await lockPartner(em, token.partnerId);
      if (token.revokedAt === null) endRights(partner);
      token.revokedAt ??= deps.clock();
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.revokeToken',
        target: `token:${tokenId}`,
        reason,
      });
      return { tokenId, revokedAt: token.revokedAt.toISOString() };
    });
  };
}
