import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { scopes as allScopes } from '@rubrica/contracts/shared/enumerations';
import { recordAudit } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import { after, toPage } from '@rubrica/wiring/database';
import type { IntakeDeps } from '../context.ts';
import { sha256Hex } from '../sha256-hex.ts';
import { ApiTokenEntity, type Partner, PartnerEntity, WebhookSecretEntity } from './partner.entity.ts';
import { makeApiToken, makeClientId, makeClientSecret, makeWebhookSecret } from './partner-secrets.ts';
import { webhookPublicKeys } from './rotate-secret.ts';

type Needs = Pick<IntakeDeps, 'database' | 'clock' | 'newId' | 'keyring' | 'partners'>;
type RevokeToken = OperatorUseCase<'partners.revokeToken'>;
type IssueToken = OperatorUseCase<'partners.issueToken'>;
type UpdatePartner = OperatorUseCase<'partners.update'>;
type CreatePartner = OperatorUseCase<'partners.create'>;
type PartnerView = OperatorOutput<'partners.get'>;

export function createListPartners({
  database,
}: Pick<IntakeDeps, 'database'>): OperatorUseCase<'partners.list'> {
  return async ({ cursor, limit }) => {
    const rows = await database
      .fork()
      .find(PartnerEntity, after(cursor), { orderBy: { createdAt: 'desc', id: 'desc' }, limit: limit + 1 });
    return toPage(rows, limit, toPartnerRow);
  };
}

/** @throws AppError REQUEST_NOT_FOUND */
export function createGetPartner({
  database,
  clock,
}: Pick<IntakeDeps, 'database' | 'clock'>): OperatorUseCase<'partners.get'> {
  return ({ id }) => viewPartner(database.fork(), id, clock());
}

const longestTokenDays = 731;

function notFound(): AppError {
  return new AppError({ code: 'REQUEST_NOT_FOUND', publicMessage: 'There is no such partner' });
}

function toPartnerRow(partner: Partner): Omit<PartnerView, 'tokens' | 'webhookPublicKeys'> {
  return {
    id: partner.id,
    clientId: partner.clientId,
    name: partner.name,
    email: partner.email,
    passwordConfiguration: partner.passwordConfiguration,
    reviewPolicy: partner.reviewPolicy,
    legacyPkcs12: partner.legacyPkcs12,
    scopes: [...partner.scopes],
    enabled: partner.enabled,
    createdAt: partner.createdAt.toISOString(),
  };
}

async function viewPartner(em: EntityManager, id: string, now: Date): Promise<PartnerView> {
  const partner = await em.findOne(PartnerEntity, { id });
  if (!partner) throw notFound();
  const tokens = await em.find(
    ApiTokenEntity,
    { partnerId: id },
    { orderBy: { createdAt: 'desc' }, limit: 100 },
  );
  return {
    ...toPartnerRow(partner),
    webhookPublicKeys: await webhookPublicKeys(em, id, now),
    tokens: tokens.map(({ id: tokenId, name, createdAt, expiresAt, revokedAt }) => ({
      id: tokenId,
      name,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      revokedAt: revokedAt?.toISOString() ?? null,
    })),
  };
}

/** New secrets leave sealed to the gateway, which shows them once; they are kept as a hash or sealed to notifier. */
export function createCreatePartner(deps: Needs): CreatePartner {
  return async (input, { caller: operator }) => {
    const { reason, scopes, ...settings } = input;
    const secret = makeClientSecret();
    const webhook = makeWebhookSecret();
    const id = deps.newId();
    const { operatorId: owner } = operator;
    const [clientSecret, webhookSecret, sealedWebhook] = await Promise.all([
      deps.keyring.sealTo('gateway', secret, { purpose: 'client-secret', owner }),
      deps.keyring.sealTo('gateway', webhook, { purpose: 'shown-webhook-secret', owner }),
      deps.keyring.sealTo('notifier', webhook, { purpose: 'webhook-secret', owner: id }),
    ]);
    const now = deps.clock();
    const clientId = makeClientId();
    await deps.database.transaction(async (em) => {
      em.create(PartnerEntity, {
        id,
        clientId,
        clientSecretSha256: sha256Hex(secret),
        ...settings,
        scopes: scopes ?? [...allScopes],
        enabled: true,
        createdAt: now,
        updatedAt: now,
      });
      await em.flush();
      em.create(WebhookSecretEntity, {
        id: deps.newId(),
        partnerId: id,
        sealed: sealedWebhook,
        publicKey: null,
        createdAt: now,
        expiresAt: null,
      });
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.create',
        target: `partner:${id}`,
        reason,
        details: settings,
      });
    });
    return { id, clientId, clientSecret, webhookSecret };
  };
}

export function createUpdatePartner(deps: Needs): UpdatePartner {
  return async (input, { caller: operator }) => {
    const { id, reason, ...changes } = input;
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    await deps.database.transaction(async (em) => {
      const partner = await em.findOne(PartnerEntity, { id });
      if (!partner) throw notFound();
      const now = deps.clock();
      em.assign(partner, { ...given, updatedAt: now });
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.update',
        target: `partner:${id}`,
        reason,
        details: given,
      });
    });
    deps.partners.forget(id);
    return viewPartner(deps.database.fork(), id, deps.clock());
  };
}

/** @throws AppError FIELD_INVALID for an expiry in the past or too far ahead */
export function createIssueToken(deps: Needs): IssueToken {
  return async (input, { caller: operator }) => {
    const { id, name, scopes, reason } = input;
    const now = deps.clock();
    const expiresAt = new Date(input.expiresAt);
    const daysAhead = (expiresAt.getTime() - now.getTime()) / DAY_MS;
    if (daysAhead <= 0 || daysAhead > longestTokenDays)
      throw new AppError({
        code: 'FIELD_INVALID',
        publicMessage: 'expiresAt must be in the future, at most two years ahead',
      });
    const token = makeApiToken();
    const tokenId = deps.newId();
    await deps.database.transaction(async (em) => {
      const partner = await em.findOne(PartnerEntity, { id });
      if (!partner) throw notFound();
      em.create(ApiTokenEntity, {
        id: tokenId,
        partnerId: id,
        name,
        tokenSha256: sha256Hex(token),
        scopes: scopes ?? [...partner.scopes],
        createdAt: now,
        expiresAt,
        revokedAt: null,
      });
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.issueToken',
        target: `partner:${id}`,
        reason,
        details: { tokenId, name },
      });
    });
    const binding = { purpose: 'api-token', owner: operator.operatorId } as const;
    return {
      tokenId,
      token: await deps.keyring.sealTo('gateway', token, binding),
      expiresAt: expiresAt.toISOString(),
    };
  };
}

export function createRevokeToken(deps: Needs): RevokeToken {
  return ({ tokenId, reason }, { caller: operator }) => {
    return deps.database.transaction(async (em) => {
      const token = await em.findOne(ApiTokenEntity, { id: tokenId });
      if (!token) throw new AppError({ code: 'REQUEST_NOT_FOUND', publicMessage: 'There is no such token' });
      const now = deps.clock();
      token.revokedAt ??= now;
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
