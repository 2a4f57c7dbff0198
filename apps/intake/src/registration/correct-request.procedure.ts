import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { partnerProcedure } from '../context.ts';
import { certificateOf } from '../request/status/certificate-state.ts';
import { toStatusRecord } from '../request/status/status-record.ts';
import { createCorrectRequest } from './correct-request.ts';

export const correctRequestProcedure = partnerProcedure('collector:write')
  .input(intakeContract.correctInput)
  .output(intakeContract.statusOutput)
  .mutation(async ({ ctx, input }) => {
    const request = await createCorrectRequest(ctx)(input, ctx.caller.partnerId);
    return toStatusRecord(request, await certificateOf(request, { ...ctx, now: ctx.clock() }));
  });
