import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { asService, procedure } from '../context.ts';
import { createGetEvent } from './get-event.ts';

export const getEventProcedure = procedure
  .use(asService('notifier'))
  .input(intakeContract.webhookEventInput)
  .output(intakeContract.webhookEvent)
  .query(({ ctx, input }) => createGetEvent(ctx)(input));
