import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use } from 'react';
import { procedures } from '../data/contracts.data.ts';
import type { OperatorPath } from './trpc.ts';

type Role = 'viewer' | 'reviewer' | 'admin';

export interface SignedIn {
  readonly email: string;
  readonly role: Role;
  /** `enrolment`: the session may only enrol a second factor. */
  readonly scope: 'full' | 'enrolment' | 'breakGlass';
}

export type SessionAnswer = { readonly timeZone: string } & (
  | { readonly signedIn: false; readonly isOpenIdOffered: boolean }
  | ({ readonly signedIn: true } & SignedIn)
);

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<SessionAnswer> => (await fetch('/session', { signal })).json(),
  staleTime: Number.POSITIVE_INFINITY,
});

const SessionContext = createContext<SignedIn | undefined>(undefined);

export function SessionProvider(props: { readonly session: SignedIn; readonly children: ReactNode }) {
  return <SessionContext value={props.session}>{props.children}</SessionContext>;
}

/** Returns the signed-in operator; always present below the sign-in. */
export function useSession(): SignedIn {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('nobody is signed in above this component');
  return session;
}

const ranks: Readonly<Record<Role | 'public', number>> = { public: 0, viewer: 1, reviewer: 2, admin: 3 };

/** Returns whether the operator may call a procedure in this session, by the contracts' table. */
export function usePermission(): (path: OperatorPath) => boolean {
  const { role, scope } = useSession();
  return (path) => {
    const { role: minRole, sessions = ['full'] } = procedures[path];
    return ranks[minRole] <= ranks[role] && sessions.includes(scope);
  };
}

export function useSessionAnswer() {
  return useQuery(sessionQuery);
}

/** Reloads the session after a sign-in or sign-out, and removes all data of the previous operator. */
export function useReloadSession(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
}
