import { timingSafeEqual } from 'node:crypto';
import type { Scope } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process';
import type { Dependencies } from '../dependencies.ts';
import { ApiTokenEntity, PartnerEntity } from './partner.entity.ts';

export interface PartnerIdentity {
  readonly partnerId: string;
  readonly clientId: string;
  readonly scopes: Scope[];
}

function sameHex(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left, 'hex'), Buffer.from(right, 'hex')];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * A partner by client id and the SHA-256 of its secret. The secret has 256 random bits, so a fast hash holds.
 * @throws AppError UNAUTHENTICATED, without saying which of the two was wrong
 */
export function createAuthenticateClient({ database }: Pick<Dependencies, 'database'>) {
  return async (input: { clientId: string; secretSha256: string }): Promise<PartnerIdentity> => {
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
export function createResolveToken({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) {
  return async (input: { tokenSha256: string }): Promise<PartnerIdentity> => {
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
