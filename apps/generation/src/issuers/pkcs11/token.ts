import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@rubrica/process';
import type { Cryptoki } from './cryptoki.ts';
import { isLoss, isPinFault, TokenAbsent } from './return-values.ts';

/** A session with the token, logged in. What was found in it is good for as long as it lives. */
export interface TokenSession {
  readonly handle: bigint;
  readonly keys: Map<string, bigint>;
  /** Hexadecimal SHA-256 of public keys (SubjectPublicKeyInfo) that are not in it. */
  readonly absent: Set<string>;
}

export interface Token {
  /**
   * Runs `work` in a session of its own. A session that was lost, with its token or alone, is opened anew, and `work`
   * runs once more.
   * @throws AppError SERVICE_UNAVAILABLE when the token is away or slow; whatever `work` throws else
   */
  use<T>(work: (session: TokenSession) => Promise<T>): Promise<T>;
  /** As `use`, in a session that may change the token. Seldom: the session is closed after it. */
  change<T>(work: (session: TokenSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface TokenOptions {
  readonly label: string;
  readonly pin: string;
  /** For a call with all it waits for. */
  readonly timeoutMs: number;
}

/** Each holds a thread of the pool while the token works; the pool has two more than subscribers' keys can take. */
const mostSessions = 2;
const retryAfterSeconds = 5;

/** A token by its label, in whatever slot it is: slots are numbered anew when a token comes back. */
export function createToken(cryptoki: Cryptoki, options: TokenOptions): Token {
  const open = createOpener(cryptoki, options);
  const close = (session: TokenSession) => cryptoki.closeSession(session.handle).catch(() => undefined);
  const enter = createGate(mostSessions);
  const idle: TokenSession[] = [];

  const tryOnce = async <T>(session: TokenSession, work: (session: TokenSession) => Promise<T>) => {
    try {
      const result = await work(session);
      idle.push(session);
      return result;
    } catch (error) {
      // Whatever it is, an operation may be left half done in this session.
      await close(session);
      throw error;
    }
  };
  const tryTwice = async <T>(work: (session: TokenSession) => Promise<T>): Promise<T> => {
    try {
      return await tryOnce(idle.pop() ?? (await open(false)), work);
    } catch (error) {
      if (!isLoss(error)) throw error;
    }
    return tryOnce(await open(false), work);
  };
  return {
    use: (work) => asUnavailable(inTime(options.timeoutMs, (signal) => enter(() => tryTwice(work), signal))),
    // Making a key may take a token minutes, and an operator waits for it.
    change: (work) =>
      asUnavailable(
        enter(async () => {
          const session = await open(true);
          return work(session).finally(() => close(session));
        }),
      ),
    async close() {
      await Promise.all(idle.splice(0).map(close));
    },
  };
}

/**
 * Lets so many in at once, the others in their order. A call that hangs keeps its place, and its thread: no later one
 * may take another thread into the same hole.
 */
function createGate(places: number) {
  const waiting: (() => void)[] = [];
  let used = 0;
  return async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    if (used === places) await new Promise<void>((resolve) => waiting.push(resolve));
    else used += 1;
    try {
      // Whoever waited for too long has gone.
      signal?.throwIfAborted();
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else used -= 1;
    }
  };
}

/** Waits for `work` no longer than that; its signal fires then. */
async function inTime<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const overdue = new AbortController();
  const working = work(overdue.signal);
  const timer = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    overdue.abort();
    throw new TokenAbsent(`the token did not answer within ${timeoutMs} ms`);
  });
  // The promise that loses the race must not become an unhandled rejection.
  late.catch(() => undefined);
  working.catch(() => undefined);
  try {
    return await Promise.race([working, late]);
  } finally {
    timer.abort();
  }
}

async function asUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (!isLoss(cause)) throw cause;
    throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds, cause });
  }
}

/** Opens sessions that are logged in. A PIN that was refused is not tried again: it would lock the token. */
function createOpener(cryptoki: Cryptoki, { label, pin }: TokenOptions) {
  let refused: unknown;
  const findSlot = async () => {
    for (const slot of await cryptoki.slots()) {
      if ((await cryptoki.tokenLabel(slot)) === label) return slot;
    }
    throw new TokenAbsent(`no slot has a token labelled "${label}"`);
  };
  return async (writable: boolean): Promise<TokenSession> => {
    if (refused !== undefined) throw refused;
    // Each time, as a module may lose its state; where it has not, it says so and nothing happens.
    await cryptoki.initialize();
    const handle = await cryptoki.openSession(await findSlot(), { writable });
    try {
      await cryptoki.login(handle, pin);
    } catch (error) {
      if (isPinFault(error)) refused = error;
      await cryptoki.closeSession(handle).catch(() => undefined);
      throw error;
    }
    return { handle, keys: new Map(), absent: new Set() };
  };
}
