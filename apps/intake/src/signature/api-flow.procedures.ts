import * as contract from '@rubrica/contracts/services/schemas/api-flow';
import { asService, partnerProcedure, procedure } from '../context.ts';
import { createCheckLiveness } from './check-liveness.ts';
import { createIssue } from './issue.ts';
import { createCompleteLiveness, createLivenessPage } from './liveness-page.ts';
import { createRequestLiveness } from './request-liveness.ts';
import { createValidateIdentity } from './validate-identity.ts';

export const validateIdentityProcedure = partnerProcedure('collector:write')
  .input(contract.validateIdentityInput)
  .output(contract.validateIdentityOutput)
  .mutation(({ ctx, input }) => createValidateIdentity(ctx)(input, ctx.caller.partnerId));

export const requestLivenessProcedure = partnerProcedure('collector:write')
  .input(contract.requestLivenessInput)
  .output(contract.requestLivenessOutput)
  .mutation(({ ctx, input }) => createRequestLiveness(ctx)(input, ctx.caller.partnerId));

export const checkLivenessProcedure = partnerProcedure('collector:write')
  .input(contract.checkLivenessInput)
  .output(contract.checkLivenessOutput)
  .mutation(({ ctx, input }) => createCheckLiveness(ctx)(input, ctx.caller.partnerId));

export const issueProcedure = partnerProcedure('collector:write')
  .input(contract.issueInput)
  .output(contract.issueOutput)
  .mutation(({ ctx, input }) => createIssue(ctx)(input, ctx.caller));

const pageProcedure = procedure.use(asService('gateway')).input(contract.livenessPageInput);

export const livenessPageProcedure = pageProcedure
  .output(contract.livenessPage)
  .query(({ ctx, input }) => createLivenessPage(ctx)(input));

export const completeLivenessProcedure = pageProcedure
  .output(contract.livenessPage)
  .mutation(({ ctx, input }) => createCompleteLiveness(ctx)(input));
