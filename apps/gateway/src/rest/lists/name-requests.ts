import type * as listsContract from '@rubrica/contracts/services/schemas/lists';
import type { z } from 'zod';
import type { PartnerCaller } from '../../context.ts';
import type { RestDeps } from '../deps.ts';

export type NamedRequest = z.output<typeof listsContract.nameRequestsOutput>['items'][number];

/** Joins each row of another service with its request from intake; rows without one are left out. */
export async function withRequests<Row extends { readonly requestId: string }>(
  { peers }: Pick<RestDeps, 'peers'>,
  rows: readonly Row[],
  options: { readonly for: PartnerCaller },
): Promise<{ readonly row: Row; readonly request: NamedRequest }[]> {
  const requestIds = [...new Set(rows.map(({ requestId }) => requestId))];
  if (requestIds.length === 0) return [];
  const { items } = await peers.intake['requests.name']({ requestIds }, options);
  const byId = new Map(items.map((item) => [item.requestId, item]));
  return rows.flatMap((row) => {
    const request = byId.get(row.requestId);
    return request === undefined ? [] : [{ row, request }];
  });
}
