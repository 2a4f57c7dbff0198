import { timingSafeEqual } from 'node:crypto';
import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { ApiTokenEntity, PartnerEntity } from './partner.entity.ts';

type AuthenticateClient = UseCase<'intake', 'partners.authenticateClient'>;
type ResolveToken = UseCase<'intake', 'partners.resolveToken'>;

function sameHex(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left, 'hex'), Buffer.from(right, 'hex')];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * A partner by client id and the SHA-256 of its secret. The secret has 256 random bits, so a fast hash holds.
 * @throws AppError UNAUTHENTICATED, without saying which of the two was wrong
 */
export function createAuthenticateClient({ database }: Pick<IntakeDeps, 'database'>): AuthenticateClient {
  return async (input) => {
    const partner = await database.fork().findOne(PartnerEntity, { clientId: input.clientId, enabled: true });
    if (!partner || !sameHex(partner.clientSecretSha256, input.secretSha256))
      throw new AppError({
        code: 'UNAUTHENTICATED',
        publicMessage: 'The client is unknown or its secret is wrong',
      });
    return { partnerId: partner.id, clientId: partner.clientId, scopes: [...partner.scopes] };
  };
}

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
