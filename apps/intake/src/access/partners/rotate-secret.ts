import type { EntityManager } from '@mikro-orm/postgresql';
import type { AdministratorChange } from '@rubrica/approvals/administrator-change';
import { recordAudit } from '@rubrica/audit/log';
import type { OperatorInput, OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { findIntact } from '@rubrica/database/guarded';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { AccessDeps } from '../deps.ts';
import { type Partner, type WebhookSecret, WebhookSecretEntity } from './partner.entity.ts';
import type { PartnerDeps } from './partner-directory.ts';
import { makeClientSecret, makeWebhookKeyPair, makeWebhookSecret } from './partner-secrets.ts';
import { toPartnerState, viewPartner } from './partner-view.ts';
import { endRights, lockPartner } from './tokens/end-partner-tokens.ts';

type RotateSecretDeps = Pick<AccessDeps, 'database' | 'clock' | 'newId' | 'keyring' | 'rows'> & PartnerDeps;
type Input = OperatorInput<'partners.rotateSecret'>;
type Output = Extract<OperatorOutput<'partners.rotateSecret'>, { kind: string }>;

/** New secret: the way to store it, and its view for the operator. */
interface Rotation {
  store(em: EntityManager, partner: Partner, times: RotationTimes): Promise<void>;
  /** Seals the secret to the gateway, for that operator. */
  seal(operatorId: string): Promise<Output>;
}

interface Rotated {
  readonly rotation: Rotation;
  /** Operator to whom the secret is shown. */
  readonly owner: string;
}

interface RotationTimes {
  readonly now: Date;
  /** Time at which the replaced secrets end. */
  readonly formerEndsAt: Date;
}

/** Days in which receivers adopt a new webhook secret or key; both sign until then. */
const overlapDays = 7;

/**
 * Replaces a secret. A client secret is replaced at once, and the tokens issued for it stay valid. A webhook
 * secret or key signs together with the new one for a week. A secret that others may know ends `immediately`,
 * tokens included.
 */
export function createRotateSecret(
  deps: RotateSecretDeps,
): AdministratorChange<'partners.rotateSecret', Rotated> {
  return {
    loadBefore: async (em, { id }) => ({ partner: toPartnerState(await lockPartner(em, id)) }),
    async make(em, { id, kind, immediately, reason }, operator) {
      // Lower case, as the database returns it to the services that open the secret: an operator may have
      // typed capitals.
      const rotation = await rotations[kind](id.toLowerCase(), deps);
      const partner = await lockPartner(em, id);
      const now = deps.clock();
      if (immediately && kind === 'client') endRights(partner);
      const overlapMs = immediately ? 0 : overlapDays * DAY_MS;
      await rotation.store(em, partner, { now, formerEndsAt: new Date(now.getTime() + overlapMs) });
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.rotateSecret',
        target: `partner:${id}`,
        reason,
        details: { kind, immediately },
      });
      return { rotation, owner: operator.operatorId };
    },
    answer({ rotation, owner }, { id }) {
      deps.partners.forget(id.toLowerCase());
      return rotation.seal(owner);
    },
    loadPresent: ({ id }) => viewPartner(deps, id),
  };
}

const rotations: Record<Input['kind'], (id: string, deps: RotateSecretDeps) => Promise<Rotation>> = {
  async client(id, { keyring }) {
    const secret = makeClientSecret();
    return {
      async store(_, partner) {
        partner.clientSecretSha256 = sha256Hex(secret);
      },
      async seal(owner) {
        const binding = { purpose: 'rotated-secret', owner } as const;
        return { id, kind: 'client', secret: await keyring.sealTo('gateway', secret, binding) };
      },
    };
  },
  async webhook(id, { keyring, newId }) {
    const secret = makeWebhookSecret();
    const sealed = await keyring.sealTo('notifier', secret, { purpose: 'webhook-secret', owner: id });
    return {
      store: (em, _, times) =>
        addWebhookSecret(em, { id: newId(), partnerId: id, sealed, publicKey: null }, times),
      async seal(owner) {
        const binding = { purpose: 'rotated-secret', owner } as const;
        return { id, kind: 'webhook', secret: await keyring.sealTo('gateway', secret, binding) };
      },
    };
  },
  // The private key leaves this function sealed to notifier only: nobody else needs it, not even the
  // operator.
  async 'webhook-ed25519'(id, { keyring, newId }) {
    const { privateKey, publicKey } = makeWebhookKeyPair();
    const sealed = await keyring.sealTo('notifier', privateKey, { purpose: 'webhook-secret', owner: id });
    return {
      store: (em, _, times) => addWebhookSecret(em, { id: newId(), partnerId: id, sealed, publicKey }, times),
      seal: async () => ({ id, kind: 'webhook-ed25519', publicKey }),
    };
  },
};

/**
 * Adds a secret and ends the earlier ones of the same kind, at the latest when `times` say. The other kind is
 * left alone.
 */
async function addWebhookSecret(
  em: EntityManager,
  secret: Pick<WebhookSecret, 'id' | 'partnerId' | 'sealed' | 'publicKey'>,
  { now, formerEndsAt }: RotationTimes,
): Promise<void> {
  const { partnerId, publicKey } = secret;
  const sameKind = publicKey === null ? { publicKey: null } : { publicKey: { $ne: null } };
  const endsLater = { $or: [{ expiresAt: null }, { expiresAt: { $gt: formerEndsAt } }] };
  const former = await findIntact(em, WebhookSecretEntity, { partnerId, ...sameKind, ...endsLater });
  for (const existing of former) existing.expiresAt = formerEndsAt;
  em.create(WebhookSecretEntity, { ...secret, createdAt: now, expiresAt: null });
}
