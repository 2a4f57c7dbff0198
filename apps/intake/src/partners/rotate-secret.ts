import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorInput, OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { recordAudit } from '@rubrica/database';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { sha256Hex } from '../sha256-hex.ts';
import { endRights, lockPartner } from './access/end-rights.ts';
import { type Partner, WebhookSecretEntity } from './partner.entity.ts';
import { makeClientSecret, makeWebhookKeyPair, makeWebhookSecret } from './partner-secrets.ts';

type Needs = Pick<IntakeDeps, 'database' | 'clock' | 'newId' | 'keyring' | 'partners'>;
type RotateSecret = OperatorUseCase<'partners.rotateSecret'>;
type Input = OperatorInput<'partners.rotateSecret'>;
type Output = OperatorOutput<'partners.rotateSecret'>;

/** What has been made: how it is kept, and what the operator is shown of it. */
interface Rotation {
  keep(em: EntityManager, partner: Partner, now: Date): Promise<void>;
  /** Sealed to the gateway, for that operator. */
  shown(operatorId: string): Promise<Output>;
}

/** Receivers have this long to take over a new webhook secret or key; both sign until then. */
const overlapDays = 7;

/** A client secret is replaced at once; a webhook secret or key signs together with the new one for a week. */
export function createRotateSecret(deps: Needs): RotateSecret {
  return async (input, { caller: operator }) => {
    const { id, kind, reason } = input;
    // As the database gives it to those who open: an operator may have written it in capitals.
    const rotation = await rotations[kind](id.toLowerCase(), deps);
    await deps.database.transaction(async (em) => {
      const partner = await lockPartner(em, id);
      const now = deps.clock();
      await rotation.keep(em, partner, now);
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.rotateSecret',
        target: `partner:${id}`,
        reason,
        details: { kind },
      });
    });
    deps.partners.forget(id.toLowerCase());
    return rotation.shown(operator.operatorId);
  };
}

const rotations: Record<Input['kind'], (id: string, deps: Needs) => Promise<Rotation>> = {
  async client(id, { keyring }) {
    const secret = makeClientSecret();
    return {
      async keep(_, partner) {
        partner.clientSecretSha256 = sha256Hex(secret);
        endRights(partner);
      },
      async shown(owner) {
        const binding = { purpose: 'rotated-secret', owner } as const;
        return { id, kind: 'client', secret: await keyring.sealTo('gateway', secret, binding) };
      },
    };
  },
  async webhook(id, { keyring, newId }) {
    const secret = makeWebhookSecret();
    const sealed = await keyring.sealTo('notifier', secret, { purpose: 'webhook-secret', owner: id });
    return {
      keep: (em, _, now) =>
        addWebhookSecret(em, { id: newId(), partnerId: id, sealed, publicKey: null, now }),
      async shown(owner) {
        const binding = { purpose: 'rotated-secret', owner } as const;
        return { id, kind: 'webhook', secret: await keyring.sealTo('gateway', secret, binding) };
      },
    };
  },
  // The private key leaves this function sealed to notifier only: nobody else, the operator included, needs it.
  async 'webhook-ed25519'(id, { keyring, newId }) {
    const { privateKey, publicKey } = makeWebhookKeyPair();
    const sealed = await keyring.sealTo('notifier', privateKey, { purpose: 'webhook-secret', owner: id });
    return {
      keep: (em, _, now) => addWebhookSecret(em, { id: newId(), partnerId: id, sealed, publicKey, now }),
      shown: async () => ({ id, kind: 'webhook-ed25519', publicKey }),
    };
  },
};

/** Ends the earlier one of the same kind after the overlap; the other kind is left alone. */
async function addWebhookSecret(
  em: EntityManager,
  secret: { id: string; partnerId: string; sealed: string; publicKey: string | null; now: Date },
): Promise<void> {
  const { id, partnerId, sealed, publicKey, now } = secret;
  const expiresAt = new Date(now.getTime() + overlapDays * DAY_MS);
  const sameKind = publicKey === null ? { publicKey: null } : { publicKey: { $ne: null } };
  await em.nativeUpdate(WebhookSecretEntity, { partnerId, expiresAt: null, ...sameKind }, { expiresAt });
  em.create(WebhookSecretEntity, { id, partnerId, sealed, publicKey, createdAt: now, expiresAt: null });
}

/** In force, newest first. */
export async function webhookPublicKeys(em: EntityManager, partnerId: string, now: Date): Promise<string[]> {
  const keys = await em.find(
    WebhookSecretEntity,
    { partnerId, publicKey: { $ne: null }, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] },
    { orderBy: { createdAt: 'desc' }, limit: 5 },
  );
  return keys.flatMap(({ publicKey }) => publicKey ?? []);
}
