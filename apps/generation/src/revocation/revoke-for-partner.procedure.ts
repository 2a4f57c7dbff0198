import * as generationContract from '@rubrica/contracts/services/schemas/generation';
import { toCertificateState } from '../certificate/certificate-view.ts';
import { certificates } from '../certificate/certificates.repository.ts';
import { asService, procedure } from '../context.ts';

/** Intake alone, which has checked that the certificate is the partner's. */
export const revokeForPartnerProcedure = procedure
  .use(asService('intake'))
  .input(generationContract.revokeForPartnerInput)
  .output(generationContract.certificateState)
  .mutation(async ({ ctx, input }) => {
    const { requestId, serialNumber, reason, comment, clientId } = input;
    const revoked = await ctx.changeStatus(
      () => certificates(ctx.database.fork()).ofRequestBySerial(requestId, serialNumber),
      { change: { kind: 'revoke', reason }, actor: `partner:${clientId}`, comment },
    );
    return toCertificateState(revoked, ctx.clock());
  });
