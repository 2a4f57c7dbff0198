import {
  createTRPCClientProxy,
  createTRPCUntypedClient,
  httpBatchLink,
  retryLink,
  type TRPCClient,
  TRPCClientError,
} from '@trpc/client';
import type { OperatorInput, OperatorOutput, OperatorRouter } from './router.ts';
import { isDue, readSessionAnswer, type Session } from './session.ts';

/** Maximum number of calls in one batch, as the gateway accepts. */
const maxItems = 50;

export interface OperatorsClientOptions {
  /** Address, for example `https://firma.example/trpc`. */
  readonly url: string;
  /** Session that an earlier program stored. */
  readonly session?: Session | undefined;
  /**
   * Called with each session that begins, and with undefined when it has ended: to store it, or to ask for a new
   * sign-in.
   */
  readonly onSession?: (session: Session | undefined) => void;
  readonly fetch?: typeof globalThis.fetch;
}

export interface OperatorsClient {
  /** All procedures: `client.procedures.requests.search.query({ status: 'ERROR' })`. */
  readonly procedures: TRPCClient<OperatorRouter>;
  readonly session: Session | undefined;
  /** Signs in. If a second factor is due, the answer contains a challenge, and there is no session yet. */
  signIn(credentials: OperatorInput<'auth.signIn'>): Promise<OperatorOutput<'auth.signIn'>>;
  /** Forgets the session here; `auth.signOut` ends it everywhere. */
  forget(): void;
}

/**
 * Creates a client for the operators' procedures with the token of the signed-in operator. A token that ends is renewed
 * before a call and, if it was refused, once after it. Simultaneous calls are sent in one batch, always by POST, so
 * that no address contains search values.
 */
export function createOperatorsClient(options: OperatorsClientOptions): OperatorsClient {
  const { url, onSession, fetch } = options;
  const link = { url, maxItems, methodOverride: 'POST' as const, ...(fetch && { fetch }) };
  let session = options.session;
  let renewal: Promise<void> | undefined;
  const setSession = (next: Session | undefined) => {
    session = next;
    onSession?.(next);
  };

  const doors = createTRPCUntypedClient<OperatorRouter>({ links: [httpBatchLink(link)] });
  async function renew({ refreshToken }: Session): Promise<void> {
    try {
      setSession(readSessionAnswer(await doors.mutation('auth.refresh', { refreshToken }), Date.now()));
    } catch (error) {
      // Without an answer the session stays; only a refused one has ended.
      if (!isUnauthenticated(error)) throw error;
      setSession(undefined);
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
  /** Retries a call whose token was refused before its end; the repeated call renews the token. */
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
      setSession(readSessionAnswer(answer, Date.now()));
      return answer;
    },
    forget: () => setSession(undefined),
  };
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof TRPCClientError && error.data?.code === 'UNAUTHORIZED';
}
