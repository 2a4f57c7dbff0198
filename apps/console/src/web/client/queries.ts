import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import { createReloadInterval } from './reload-interval.ts';
import { sessionQuery } from './session.tsx';
import { callProcedure, Failure, type OperatorPath, type ProcedureInput } from './trpc.ts';

/**
 * Creates a query of the gateway by its name, for `useQuery`. Displayed data stays until the next answer. A service
 * that did not answer is retried automatically.
 */
export function createQuery<P extends OperatorPath>(path: P, input: ProcedureInput<P>) {
  return queryOptions({
    queryKey: [path, input],
    queryFn: ({ signal }) => callProcedure(path, input, signal),
    placeholderData: keepPreviousData,
    refetchInterval: createReloadInterval(0),
  });
}

interface ScannedPage {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
  readonly lookedBackTo?: string | undefined;
}

/** Maximum number of scans, some seconds in total; afterwards the operator continues manually. */
const maxScans = 20;

/** Creates a search query: where one scan finds nothing it continues with the next; each is short. */
export function createSearchQuery<P extends OperatorPath>(path: P, input: ProcedureInput<P>) {
  return queryOptions({
    ...createQuery(path, input),
    queryFn: async ({ signal }) => {
      let page = await callProcedure(path, input, signal);
      for (let scans = 1; scans < maxScans; scans++) {
        const { items, nextCursor, lookedBackTo } = page as ScannedPage;
        if (items.length > 0 || lookedBackTo === undefined || nextCursor === null) break;
        page = await callProcedure(path, { ...input, cursor: nextCursor }, signal);
      }
      return page;
    },
  });
}

export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    // The session has ended, here or in another tab: the pages reload the session and show the sign-in.
    const isSignedOut = error instanceof Failure && error.code === 'UNAUTHENTICATED';
    if (isSignedOut) void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Retries only failures that a second try can fix.
        retry: (count, error) => count < 2 && error instanceof Failure && error.code === 'UNREACHABLE',
      },
    },
  });
  return queries;
}
