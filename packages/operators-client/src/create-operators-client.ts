import {
  createTRPCClientProxy,
  createTRPCUntypedClient,
  httpBatchLink,
  retryLink,
  type TRPCClient,
  TRPCClientError,
} from '@trpc/client';
import type { OperatorInput, OperatorOutput, OperatorRouter } from './router.ts';
import { isDue, type Session, sessionOf } from './session.ts';

/** As many as the gateway takes in one call. */
const maxItems = 50;

export interface OperatorsClientOptions {
  /** Such as `https://firma.example/trpc`. */
  readonly url: string;
  /** One that an earlier program kept. */
  readonly session?: Session | undefined;
  /** Told each session that begins, and undefined when it has ended: to keep it, or to ask for a new sign-in. */
  readonly onSession?: (session: Session | undefined) => void;
  readonly fetch?: typeof globalThis.fetch;
}

export interface OperatorsClient {
  /** Every procedure: `client.procedures.requests.search.query({ status: 'ERROR' })`. */
  readonly procedures: TRPCClient<OperatorRouter>;
  readonly session: Session | undefined;
  /** Where a second factor is due the answer holds a challenge, and there is no session yet. */
  signIn(credentials: OperatorInput<'auth.signIn'>): Promise<OperatorOutput<'auth.signIn'>>;
  /** Forgets the session here; `auth.signOut` ends it everywhere. */
  forget(): void;
}

/**
 * The operators' procedures with the token of whoever signed in. A token that ends is renewed before a call and, if it
 * was refused, once after it. Calls made at the same time go in one batch, always by POST: no address holds what was
 * asked for.
 */
export function createOperatorsClient(options: OperatorsClientOptions): OperatorsClient {
  const { url, onSession, fetch } = options;
  const link = { url, maxItems, methodOverride: 'POST' as const, ...(fetch && { fetch }) };
  let session = options.session;
  let renewal: Promise<void> | undefined;
  const keep = (next: Session | undefined) => {
    session = next;
    onSession?.(next);
  };

  const doors = createTRPCUntypedClient<OperatorRouter>({ links: [httpBatchLink(link)] });
  async function renew({ refreshToken }: Session): Promise<void> {
    try {
      keep(sessionOf(await doors.mutation('auth.refresh', { refreshToken }), Date.now()));
    } catch (error) {
      // Whoever is not answered keeps the session: a refused one is over.
      if (!isUnauthenticated(error)) throw error;
      keep(undefined);
    }
  }
  async function headers(): Promise<Record<string, string>> {
    if (session !== undefined && isDue(session, Date.now())) {
      renewal ??= renew(session).finally(() => {
        renewal = undefined;
      });
      await renewal;
    }
    return session === undefined ? {} : { authorization: `Bearer ${session.accessToken}` };
  }
  /** A token that was refused before its end is renewed by the call that is made again. */
  function retry({ error, attempts }: { error: TRPCClientError<OperatorRouter>; attempts: number }): boolean {
    if (attempts > 1 || session?.refreshToken === undefined || !isUnauthenticated(error)) return false;
    session = { ...session, expiresAt: 0 };
    return true;
  }

  const calls = createTRPCUntypedClient<OperatorRouter>({
    links: [retryLink<OperatorRouter>({ retry }), httpBatchLink({ ...link, headers })],
  });
  return {
    procedures: createTRPCClientProxy<OperatorRouter>(calls),
    get session() {
      return session;
    },
    async signIn(credentials) {
      const answer = (await doors.mutation('auth.signIn', credentials)) as OperatorOutput<'auth.signIn'>;
      keep(sessionOf(answer, Date.now()));
      return answer;
    },
    forget: () => keep(undefined),
  };
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof TRPCClientError && error.data?.code === 'UNAUTHORIZED';
}
