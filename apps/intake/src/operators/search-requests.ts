import type { FilterQuery } from '@mikro-orm/core';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { after, toPage } from '@rubrica/wiring/database';
import { asOperator, procedure } from '../context.ts';
import { type Request, RequestEntity } from '../request/request.entity.ts';
import { toRequestRow } from './request-row.ts';

const { role, input, output } = operatorProcedures['requests.search'];

export const searchRequestsProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .query(async ({ ctx, input: { cursor, limit, ...filters } }) => {
    const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
    const where = { ...given, ...after(cursor) } as FilterQuery<Request>;
    const rows = await ctx.database.fork().find(RequestEntity, where, {
      orderBy: { createdAt: 'desc', id: 'desc' },
      limit: limit + 1,
    });
    return toPage(rows, limit, toRequestRow);
  });
