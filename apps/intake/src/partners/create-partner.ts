import { scopes as allScopes } from '@rubrica/contracts/shared/enumerations';
import { recordAudit } from '@rubrica/database';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { sha256Hex } from '../sha256-hex.ts';
import { PartnerEntity, WebhookSecretEntity } from './partner.entity.ts';
import { makeClientId, makeClientSecret, makeWebhookSecret } from './partner-secrets.ts';

type CreatePartner = OperatorUseCase<'partners.create'>;
type Needs = Pick<IntakeDeps, 'database' | 'clock' | 'newId' | 'keyring'>;

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
        clientSecretEnabled: true,
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
