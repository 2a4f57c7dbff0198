import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import { pacedBy } from './pace.ts';
import { sessionQuery } from './session.tsx';
import { call, Failure, type InputOf, type OperatorPath } from './trpc.ts';

/**
 * A query of the gateway by its name, for `useQuery`. What was shown stays until the next answer is there. Where a service
 * did not answer it is asked again by itself: nobody has to guess when the service is back.
 */
export function queryOf<P extends OperatorPath>(path: P, input: InputOf<P>) {
  return queryOptions({
    queryKey: [path, input],
    queryFn: ({ signal }) => call(path, input, signal),
    placeholderData: keepPreviousData,
    refetchInterval: pacedBy(0),
  });
}

interface LookedPage {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
  readonly lookedBackTo?: string | undefined;
}

/** Some seconds at most; then it is for whoever looks to go on. */
const mostLooks = 20;

/** As `queryOf`, of a search: where one look finds nothing it goes on with the next, each of which is short. */
export function searchOf<P extends OperatorPath>(path: P, input: InputOf<P>) {
  return queryOptions({
    ...queryOf(path, input),
    queryFn: async ({ signal }) => {
      let page = await call(path, input, signal);
      for (let looks = 1; looks < mostLooks; looks++) {
        const { items, nextCursor, lookedBackTo } = page as LookedPage;
        if (items.length > 0 || lookedBackTo === undefined || nextCursor === null) break;
        page = await call(path, { ...input, cursor: nextCursor }, signal);
      }
      return page;
    },
  });
}

export function createQueries(): QueryClient {
  const onError = (error: unknown) => {
    // The session has ended, here or elsewhere: the pages ask who is signed in, and show the sign-in.
    const isSignedOut = error instanceof Failure && error.code === 'UNAUTHENTICATED';
    if (isSignedOut) void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Only what a second try can mend.
        retry: (count, error) => count < 2 && error instanceof Failure && error.code === 'UNREACHABLE',
      },
    },
  });
  return queries;
}
