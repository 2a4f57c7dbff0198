import { otherStatuses } from '../content/collection-statuses.ts';
import type { Route, Schema } from '../openapi-document.ts';

/** Accepted answers to one request: schema of the body by status, or null if it is not JSON. */
export interface Expectation {
  readonly [status: string]: Schema | null;
}

/** Lists the expectations by name of the request. */
export function listExpectations(routes: readonly Route[]): Readonly<Record<string, Expectation>> {
  return Object.fromEntries(routes.map(({ operation }) => [operation.summary, createExpectation(operation)]));
}

function createExpectation({ operationId, responses }: Route['operation']): Expectation {
  const others: readonly number[] =
    Object.entries(otherStatuses).find(([id]) => id === operationId)?.[1] ?? [];
  return Object.fromEntries(
    [200, ...others].map((status) => {
      const content = responses[String(status)]?.content ?? {};
      return [status, content['application/json']?.schema ?? null];
    }),
  );
}
