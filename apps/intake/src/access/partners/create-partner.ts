import type { AdministratorChange } from '@rubrica/approvals/administrator-change';
import { recordAudit } from '@rubrica/audit/log';
import { scopes as allScopes } from '@rubrica/contracts/shared/enumerations';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { AccessDeps } from '../deps.ts';
import { assertLogo, changeLogo } from './logo/stored-logos.ts';
import { PartnerEntity, WebhookSecretEntity } from './partner.entity.ts';
import { makeClientId, makeClientSecret, makeWebhookSecret } from './partner-secrets.ts';

type CreatePartnerDeps = Pick<AccessDeps, 'clock' | 'newId' | 'keyring'>;

interface CreatedPartner {
  readonly id: string;
  readonly clientId: string;
  /** Secrets, shown once. */
  readonly secret: string;
  readonly webhook: string;
  /** Operator to whom they are shown. */
  readonly owner: string;
}

/**
 * Creates a partner. New secrets leave sealed to the gateway, which shows them once; they are stored as a
 * hash or sealed to notifier.
 */
export function createCreatePartner(
  deps: CreatePartnerDeps,
): AdministratorChange<'partners.create', CreatedPartner> {
  return {
    async loadBefore(_em, { logo }) {
      assertLogo(logo);
      return null;
    },
    async make(em, { reason, scopes, logo = null, ...settings }, operator) {
      const secret = makeClientSecret();
      const webhook = makeWebhookSecret();
      const id = deps.newId();
      const clientId = makeClientId();
      const now = deps.clock();
      em.create(PartnerEntity, {
        id,
        clientId,
        clientSecretSha256: sha256Hex(secret),
        ...settings,
        scopes: scopes ?? [...allScopes],
        enabled: true,
        clientSecretEnabled: true,
        createdAt: now,
        updatedAt: now,
      });
      await em.flush();
      em.create(WebhookSecretEntity, {
        id: deps.newId(),
        partnerId: id,
        sealed: await deps.keyring.sealTo('notifier', webhook, { purpose: 'webhook-secret', owner: id }),
        publicKey: null,
        createdAt: now,
        expiresAt: null,
      });
      const logoSha256 = await changeLogo(em, id, logo);
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.create',
        target: `partner:${id}`,
        reason,
        details: logoSha256 === null ? settings : { ...settings, logoSha256 },
      });
      return { id, clientId, secret, webhook, owner: operator.operatorId };
    },
    async answer({ id, clientId, secret, webhook, owner }) {
      const shownBinding = { purpose: 'shown-webhook-secret', owner } as const;
      return {
        id,
        clientId,
        clientSecret: await deps.keyring.sealTo('gateway', secret, { purpose: 'client-secret', owner }),
        webhookSecret: await deps.keyring.sealTo('gateway', webhook, shownBinding),
      };
    },
    loadPresent: async () => ({}),
  };
}
