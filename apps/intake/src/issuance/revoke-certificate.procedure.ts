import * as generationContract from '@rubrica/contracts/services/schemas/generation';
import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { partnerProcedure } from '../context.ts';
import { createRevokeCertificate } from './revoke-certificate.ts';

export const revokeCertificateProcedure = partnerProcedure('certificates:revoke')
  .input(intakeContract.revokeCertificateInput)
  .output(generationContract.certificateState)
  .mutation(({ ctx, input }) => createRevokeCertificate(ctx)(input, ctx.caller));
