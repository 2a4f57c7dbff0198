import type { EntityManager } from '@mikro-orm/postgresql';
import type { AdministratorChange } from '@rubrica/approvals/administrator-change';
import { recordAudit } from '@rubrica/audit/log';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process/errors';
import type { AccessDeps } from '../deps.ts';
import { type ApiToken, ApiTokenEntity } from './partner.entity.ts';
import { viewPartner } from './partner-view.ts';
import { endRights, lockPartner } from './tokens/end-partner-tokens.ts';

async function findToken(em: EntityManager, tokenId: string): Promise<ApiToken> {
  const token = await em.findOne(ApiTokenEntity, { id: tokenId });
  if (!token) throw new AppError({ code: 'REQUEST_NOT_FOUND', text: createText('partner.tokenNotFound') });
  return token;
}

/** @throws AppError REQUEST_NOT_FOUND */
export function createRevokeToken(
  deps: Pick<AccessDeps, 'database' | 'rows' | 'clock'>,
): AdministratorChange<'partners.revokeToken', { readonly revokedAt: string }> {
  return {
    async loadBefore(em, { tokenId }) {
      const { name, partnerId, revokedAt } = await findToken(em, tokenId);
      return { name, partnerId, revokedAt: revokedAt?.toISOString() ?? null };
    },
    async make(em, { tokenId, reason }, operator) {
      const token = await findToken(em, tokenId);
      const partner = await lockPartner(em, token.partnerId);
      if (token.revokedAt === null) endRights(partner);
      token.revokedAt ??= deps.clock();
      const revokedAt = token.revokedAt.toISOString();
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.revokeToken',
        target: `token:${tokenId}`,
        reason,
      });
      return { revokedAt };
    },
    answer: ({ revokedAt }, { tokenId }) => ({ tokenId, revokedAt }),
    async loadPresent({ tokenId }) {
      const { partnerId } = await findToken(deps.database.fork(), tokenId);
      return viewPartner(deps, partnerId);
    },
  };
}
