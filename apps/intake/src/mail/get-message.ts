import type { messagesContract } from '@rubrica/contracts';
import { AppError } from '@rubrica/service';
import type { Dependencies } from '../dependencies.ts';
import { PartnerEntity } from '../partner/partner.entity.ts';
import { RequestEntity } from '../request/request.entity.ts';
import { MessageEntity } from './message.entity.ts';

/**
 * One mail as the notifier writes it; without a token when a newer mail, or the end of the request, overtook it.
 * @throws AppError REQUEST_NOT_FOUND
 */
export const createGetMessage =
  ({ database }: Pick<Dependencies, 'database'>) =>
  async ({ messageId }: { messageId: string }): Promise<messagesContract.OutgoingMessage> => {
    const em = database.fork();
    const message = await em.findOne(MessageEntity, { id: messageId });
    const request = message && (await em.findOne(RequestEntity, { id: message.requestId }));
    if (!message || !request) throw new AppError({ code: 'REQUEST_NOT_FOUND' });
    const partner = await em.findOneOrFail(PartnerEntity, { id: request.partnerId });
    return {
      messageId: message.id,
      requestId: request.id,
      channel: message.channel,
      template: message.template,
      language: message.language,
      to: message.recipient,
      applicantName: String(request.details.applicantName ?? ''),
      partnerName: partner.name,
      expiresAt: request.claimExpiresAt?.toISOString() ?? null,
      sealedSecret: request.status === 'APPROVED' ? message.sealedSecret : null,
    };
  };
