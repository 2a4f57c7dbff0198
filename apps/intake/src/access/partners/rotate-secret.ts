import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorInput, OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { recordAudit, statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { AdministratorChange } from '@rubrica/wiring/approvals';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { AccessDeps } from '../deps.ts';
import { type Partner, type WebhookSecret, WebhookSecretEntity } from './partner.entity.ts';
import type { PartnerDeps } from './partner-directory.ts';
import { makeClientSecret, makeWebhookKeyPair, makeWebhookSecret } from './partner-secrets.ts';
import { partnerAsItIs, viewPartner } from './partner-view.ts';
import { endRights, lockPartner } from './tokens/end-rights.ts';

type Needs = Pick<AccessDeps, 'database' | 'clock' | 'newId' | 'keyring' | 'rows'> & PartnerDeps;
type Input = OperatorInput<'partners.rotateSecret'>;
type Output = Extract<OperatorOutput<'partners.rotateSecret'>, { kind: string }>;

/** What has been made: how it is kept, and what the operator is shown of it. */
interface Rotation {
  keep(em: EntityManager, partner: Partner, times: RotationTimes): Promise<void>;
  /** Sealed to the gateway, for that operator. */
  shown(operatorId: string): Promise<Output>;
}

interface RotationTimes {
  readonly now: Date;
  /** When what is replaced ends. */
  readonly formerEndsAt: Date;
}

/** Receivers have this long to take over a new webhook secret or key; both sign until then. */
const overlapDays = 7;

/**
 * A client secret is replaced at once, and the tokens that it gave live out; a webhook secret or key signs together with
 * the new one for a week. What may be known to others ends `immediately`, tokens included.
 */
export function createRotateSecret(deps: Needs): AdministratorChange<'partners.rotateSecret'> {
  return {
    before: async (em, { id }) => ({ partner: partnerAsItIs(await lockPartner(em, id)) }),
    async make(em, { id, kind, immediately, reason }, operator) {
      // As the database gives it to those who open: an operator may have written it in capitals.
      const rotation = await rotations[kind](id.toLowerCase(), deps);
      const partner = await lockPartner(em, id);
      const now = deps.clock();
      if (immediately && kind === 'client') endRights(partner);
      const overlapMs = immediately ? 0 : overlapDays * DAY_MS;
      await rotation.keep(em, partner, { now, formerEndsAt: new Date(now.getTime() + overlapMs) });
      await recordAudit(em, {
        actor: `operator:${operator.email}`,
        action: 'partners.rotateSecret',
        target: `partner:${id}`,
        reason,
        details: { kind, immediately },
      });
      return () => {
        deps.partners.forget(id.toLowerCase());
        return rotation.shown(operator.operatorId);
      };
    },
    asItIs: ({ id }) => viewPartner(deps, id),
  };
}

const rotations: Record<Input['kind'], (id: string, deps: Needs) => Promise<Rotation>> = {
  async client(id, { keyring }) {
    const secret = makeClientSecret();
    return {
      async keep(_, partner) {
        partner.clientSecretSha256 = sha256Hex(secret);
      },
      async shown(owner) {
        const binding = { purpose: 'rotated-secret', owner } as const;
        return { id, kind: 'client', secret: await keyring.sealTo('gateway', secret, binding) };
      },
    };
  },
  async webhook(id, { keyring, newId, rows }) {
    const secret = makeWebhookSecret();
    const sealed = await keyring.sealTo('notifier', secret, { purpose: 'webhook-secret', owner: id });
    return {
      keep: (em, _, times) =>
        addWebhookSecret(em, { id: newId(), partnerId: id, sealed, publicKey: null }, times, rows),
      async shown(owner) {
        const binding = { purpose: 'rotated-secret', owner } as const;
        return { id, kind: 'webhook', secret: await keyring.sealTo('gateway', secret, binding) };
      },
    };
  },
  // The private key leaves this function sealed to notifier only: nobody else, the operator included, needs it.
  async 'webhook-ed25519'(id, { keyring, newId, rows }) {
    const { privateKey, publicKey } = makeWebhookKeyPair();
    const sealed = await keyring.sealTo('notifier', privateKey, { purpose: 'webhook-secret', owner: id });
    return {
      keep: (em, _, times) =>
        addWebhookSecret(em, { id: newId(), partnerId: id, sealed, publicKey }, times, rows),
      shown: async () => ({ id, kind: 'webhook-ed25519', publicKey }),
    };
  },
};

/** Many more than a partner has: beyond that, others than this service have written here. */
const mostSecrets = 1_000;

const storedSecrets = statement<
  { readonly partnerId: string },
  { readonly stored: { readonly id: string } & Readonly<Record<string, unknown>> }
>({
  name: 'webhook-secrets-of-partner',
  sql: `select to_jsonb(webhook_secret) as stored from webhook_secret where partner_id = :partnerId
    limit ${mostSecrets + 1}`,
});

/** Ids of secrets that this service has given the partner; the others raise their alarm and end by nobody's rotation. */
async function intactIds(em: EntityManager, partnerId: string, rows: Needs['rows']): Promise<string[]> {
  const secrets = await storedSecrets.run(em, { partnerId });
  // One of those that are not read could stay in force.
  if (secrets.length > mostSecrets) throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
  return secrets
    .map(({ stored }) => stored)
    .filter((row) => rows.isIntact('webhook_secret', row))
    .map(({ id }) => id);
}

/** Ends the earlier ones of the same kind, at the latest when `times` say; the other kind is left alone. */
async function addWebhookSecret(
  em: EntityManager,
  secret: Pick<WebhookSecret, 'id' | 'partnerId' | 'sealed' | 'publicKey'>,
  { now, formerEndsAt }: RotationTimes,
  rows: Needs['rows'],
): Promise<void> {
  const { partnerId, publicKey } = secret;
  const sameKind = publicKey === null ? { publicKey: null } : { publicKey: { $ne: null } };
  const endsLater = { $or: [{ expiresAt: null }, { expiresAt: { $gt: formerEndsAt } }] };
  const former = await em.find(WebhookSecretEntity, {
    id: { $in: await intactIds(em, partnerId, rows) },
    ...sameKind,
    ...endsLater,
  });
  for (const one of former) one.expiresAt = formerEndsAt;
  em.create(WebhookSecretEntity, { ...secret, createdAt: now, expiresAt: null });
}
