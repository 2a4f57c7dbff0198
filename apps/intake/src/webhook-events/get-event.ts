import type { Family, intakeContract } from '@rubrica/contracts';
import { AppError } from '@rubrica/service';
import type { Dependencies } from '../dependencies.ts';
import { WebhookSecretEntity } from '../partner/partner.entity.ts';
import { RequestEntity } from '../request/request.entity.ts';
import { WebhookEventEntity } from './webhook-event.entity.ts';

/** Each family names the identifier in its own words. */
export const identifierNames: Readonly<Record<Family, string>> = {
  TV: 'linkedPartnerRequestId',
  FR: 'requestId',
  FT: 'transactionalRequestId',
  FS: 'simplifiedRequestId',
  API: 'signatureRequestId',
};

/**
 * One event as the notifier delivers it.
 * @throws AppError REQUEST_NOT_FOUND
 */
export const createGetEvent =
  ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) =>
  async ({ eventId }: { eventId: string }): Promise<intakeContract.WebhookEvent> => {
    const em = database.fork();
    const event = await em.findOne(WebhookEventEntity, { id: eventId });
    const request = event && (await em.findOne(RequestEntity, { id: event.requestId }));
    if (!event || !request?.callbackUrl) throw new AppError({ code: 'REQUEST_NOT_FOUND' });
    const secrets = await em.find(
      WebhookSecretEntity,
      { partnerId: request.partnerId, $or: [{ expiresAt: null }, { expiresAt: { $gt: clock() } }] },
      { orderBy: { createdAt: 'desc' }, limit: 5 },
    );
    return {
      eventId: event.id,
      requestId: request.id,
      partnerId: request.partnerId,
      type: event.type,
      url: request.callbackUrl,
      identifierName: identifierNames[request.family],
      referenceTransaction: request.referenceTransaction,
      message: event.message,
      omitPassword: request.passwordOrigin === 'HOLDER',
      occurredAt: event.occurredAt.toISOString(),
      sealedSecrets: secrets.map((secret) => secret.sealed),
    };
  };
