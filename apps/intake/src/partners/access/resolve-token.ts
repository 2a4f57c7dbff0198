import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../../context.ts';
import { ApiTokenEntity, PartnerEntity } from '../partner.entity.ts';

type ResolveToken = UseCase<'intake', 'partners.resolveToken'>;

/** @throws AppError UNAUTHENTICATED for a token that is unknown, revoked, expired, or of a partner switched off */
export function createResolveToken({
  database,
  clock,
}: Pick<IntakeDeps, 'database' | 'clock'>): ResolveToken {
  return async (input) => {
    const em = database.fork();
    const token = await em.findOne(ApiTokenEntity, {
      tokenSha256: input.tokenSha256,
      revokedAt: null,
      expiresAt: { $gt: clock() },
    });
    const partner = token && (await em.findOne(PartnerEntity, { id: token.partnerId, enabled: true }));
    if (!token || !partner) throw new AppError({ code: 'UNAUTHENTICATED' });
    return { partnerId: partner.id, clientId: partner.clientId, scopes: [...token.scopes] };
  };
}
