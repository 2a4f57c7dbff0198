import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { AccessDeps } from '../deps.ts';
import { findPublicWebhookSecrets } from './find-public-webhook-secrets.ts';
import { type PartnerKey, PartnerKeyEntity } from './keys/partner-key.entity.ts';
import { describeLogo } from './logo/stored-logos.ts';
import { ApiTokenEntity, type Partner, PartnerEntity } from './partner.entity.ts';
import { partnerNotFound } from './partner-not-found.ts';

type PartnerView = OperatorOutput<'partners.get'>;

/** Converts a partner to a row of the operators' list. */
export function toPartnerRow(
  partner: Partner,
): Omit<PartnerView, 'tokens' | 'keys' | 'webhookPublicKeys' | 'logo'> {
  return {
    id: partner.id,
    clientId: partner.clientId,
    name: partner.name,
    email: partner.email,
    passwordConfiguration: partner.passwordConfiguration,
    reviewPolicy: partner.reviewPolicy,
    legacyPkcs12: partner.legacyPkcs12,
    keyType: partner.keyType,
    envelope: partner.envelope,
    quota: partner.quota,
    events: [...partner.events],
    holderReminders: [...partner.holderReminders],
    holderRenewal: partner.holderRenewal,
    scopes: [...partner.scopes],
    enabled: partner.enabled,
    clientSecretEnabled: partner.clientSecretEnabled,
    createdAt: partner.createdAt.toISOString(),
  };
}

/** Returns the state to which a proposed change of a partner is bound. */
export function toPartnerState(partner: Partner): object {
  return { ...toPartnerRow(partner), version: `${partner.gen} ${partner.updatedAt.toISOString()}` };
}

/** @throws AppError REQUEST_NOT_FOUND */
export async function viewPartner(
  { database, rows, clock }: Pick<AccessDeps, 'database' | 'rows' | 'clock'>,
  id: string,
): Promise<PartnerView> {
  const em = rows.forShowing(database.fork());
  const partner = await em.findOne(PartnerEntity, { id });
  if (!partner) throw partnerNotFound();
  const newest = { orderBy: { createdAt: 'desc' }, limit: 100 } as const;
  const tokens = await em.find(ApiTokenEntity, { partnerId: id }, newest);
  const keys = await em.find(PartnerKeyEntity, { partnerId: id }, newest);
  return {
    ...toPartnerRow(partner),
    logo: await describeLogo(database, id),
    keys: keys.filter((key) => !rows.hasFailed(key)).map(toKeyRow),
    webhookPublicKeys: (await findPublicWebhookSecrets(em, id, clock()))
      .filter((key) => !rows.hasFailed(key))
      .flatMap(({ publicKey }) => publicKey ?? []),
    tokens: tokens.map(({ id: tokenId, name, createdAt, expiresAt, revokedAt }) => ({
      id: tokenId,
      name,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      revokedAt: revokedAt?.toISOString() ?? null,
    })),
  };
}

function toKeyRow({
  id,
  algorithm,
  thumbprint,
  createdAt,
  removedAt,
}: PartnerKey): PartnerView['keys'][number] {
  return {
    ...{ id, algorithm, thumbprint },
    createdAt: createdAt.toISOString(),
    removedAt: removedAt?.toISOString() ?? null,
  };
}
