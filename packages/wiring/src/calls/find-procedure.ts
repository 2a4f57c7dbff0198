import type { Call } from '@rubrica/contracts/services/call';

export type Send = (input: unknown, options: object) => Promise<unknown>;

/** Finds a procedure in the client, a proxy that builds its path member by member. */
export function findProcedure(client: unknown, name: string, kind: Call['kind']): Send {
  const step = (node: unknown, key: string) => (node as Readonly<Record<string, unknown>>)[key];
  return step(name.split('.').reduce(step, client), kind === 'query' ? 'query' : 'mutate') as Send;
}
