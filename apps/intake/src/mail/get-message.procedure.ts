import { intakeContract } from '@rubrica/contracts';
import { asService, procedure } from '../context.ts';
import { createGetMessage } from './get-message.ts';

export const getMessageProcedure = procedure
  .use(asService('notifier'))
  .input(intakeContract.mailInput)
  .output(intakeContract.mailMessage)
  .query(({ ctx, input }) => createGetMessage(ctx)(input));
