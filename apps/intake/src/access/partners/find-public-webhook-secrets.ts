import type { EntityManager } from '@mikro-orm/postgresql';
import { WebhookSecretEntity } from './partner.entity.ts';

/** Finds the secrets in force that have a public half, newest first. */
export function findPublicWebhookSecrets(em: EntityManager, partnerId: string, now: Date) {
  return em.find(
    WebhookSecretEntity,
    { partnerId, publicKey: { $ne: null }, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] },
    { orderBy: { createdAt: 'desc' }, limit: 5 },
  );
}
