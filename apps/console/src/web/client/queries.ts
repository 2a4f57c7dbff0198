import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import { sessionQuery } from './session.tsx';
import { call, Failure, type InputOf, type OperatorPath } from './trpc.ts';

/** A query of the gateway by its name, for `useQuery`. What was shown stays until the next answer is there. */
export function queryOf<P extends OperatorPath>(path: P, input: InputOf<P>) {
  return queryOptions({
    queryKey: [path, input],
    queryFn: ({ signal }) => call(path, input, signal),
    placeholderData: keepPreviousData,
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
