import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { partnerProcedure } from '../context.ts';
import { toChanged } from '../request/changed-request.ts';
import { createResendLink } from './resend-link.ts';

export const resendLinkProcedure = partnerProcedure('manager:write')
  .input(intakeContract.resendInput)
  .output(intakeContract.resendOutput)
  .mutation(async ({ ctx, input }) => {
    const { request, linkExpiresAt, ...resent } = await createResendLink(ctx)(input, ctx.caller.partnerId);
    return {
      ...toChanged(request),
      ...resent,
      resendCount: request.resendCount,
      linkExpiresAt: linkExpiresAt.toISOString(),
    };
  });
