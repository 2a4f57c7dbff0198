import * as messagesContract from '@rubrica/contracts/services/schemas/notices';
import { asService, procedure } from '../context.ts';
import { createGetMessage } from './get-message.ts';

export const getMessageProcedure = procedure
  .use(asService('notifier'))
  .input(messagesContract.messageInput)
  .output(messagesContract.outgoingMessage)
  .query(({ ctx, input }) => createGetMessage(ctx)(input));
