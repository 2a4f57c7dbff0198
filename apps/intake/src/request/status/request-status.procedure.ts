import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { partnerProcedure } from '../../context.ts';
import { findOwn } from '../request.repository.ts';
import { certificateOf } from './certificate-state.ts';
import { toStatusRecord } from './status-record.ts';

export const requestStatusProcedure = partnerProcedure('status:read')
  .input(intakeContract.requestIdentifier)
  .output(intakeContract.statusOutput)
  .query(async ({ ctx, input }) => {
    const { partnerId } = ctx.caller;
    const request = await findOwn(ctx.database.fork(), { ...input, partnerId });
    return toStatusRecord(request, await certificateOf(request, { ...ctx, now: ctx.clock() }));
  });
