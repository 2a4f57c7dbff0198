import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { after, toPage } from '@rubrica/wiring/database';
import { asOperator, procedure } from '../context.ts';
import {
  createPartner,
  issueToken,
  revokeToken,
  toPartnerRow,
  updatePartner,
  viewPartner,
} from './manage-partners.ts';
import { PartnerEntity } from './partner.entity.ts';
import { rotateSecret } from './rotate-secret.ts';

const list = operatorProcedures['partners.list'];
const get = operatorProcedures['partners.get'];
const create = operatorProcedures['partners.create'];
const update = operatorProcedures['partners.update'];
const rotate = operatorProcedures['partners.rotateSecret'];
const issue = operatorProcedures['partners.issueToken'];
const revoke = operatorProcedures['partners.revokeToken'];

export const listPartnersProcedure = procedure
  .use(asOperator(list.role))
  .input(list.input)
  .output(list.output)
  .query(async ({ ctx, input: { cursor, limit } }) => {
    const rows = await ctx.database
      .fork()
      .find(PartnerEntity, after(cursor), { orderBy: { createdAt: 'desc', id: 'desc' }, limit: limit + 1 });
    return toPage(rows, limit, toPartnerRow);
  });

export const getPartnerProcedure = procedure
  .use(asOperator(get.role))
  .input(get.input)
  .output(get.output)
  .query(({ ctx, input }) => viewPartner(ctx.database.fork(), input.id, ctx.clock()));

export const createPartnerProcedure = procedure
  .use(asOperator(create.role))
  .input(create.input)
  .output(create.output)
  .mutation(({ ctx, input }) => createPartner(ctx, input, ctx.caller));

export const updatePartnerProcedure = procedure
  .use(asOperator(update.role))
  .input(update.input)
  .output(update.output)
  .mutation(({ ctx, input }) => updatePartner(ctx, input, ctx.caller));

export const rotateSecretProcedure = procedure
  .use(asOperator(rotate.role))
  .input(rotate.input)
  .output(rotate.output)
  .mutation(({ ctx, input }) => rotateSecret(ctx, input, ctx.caller));

export const issueTokenProcedure = procedure
  .use(asOperator(issue.role))
  .input(issue.input)
  .output(issue.output)
  .mutation(({ ctx, input }) => issueToken(ctx, input, ctx.caller));

export const revokeTokenProcedure = procedure
  .use(asOperator(revoke.role))
  .input(revoke.input)
  .output(revoke.output)
  .mutation(({ ctx, input }) => revokeToken(ctx, input, ctx.caller));
