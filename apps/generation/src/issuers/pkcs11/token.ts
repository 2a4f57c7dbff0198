import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@rubrica/process/errors';
import type { Cryptoki } from './cryptoki.ts';
import { isPinFault, isSessionLoss, TokenAbsent } from './return-values.ts';

/** Session with the token, logged in. Cached handles are valid while it lasts. */
export interface TokenSession {
  readonly handle: bigint;
  readonly keys: Map<string, bigint>;
  /** Hexadecimal SHA-256 of public keys (SubjectPublicKeyInfo) that the token does not hold. */
  readonly absent: Set<string>;
}

export interface Token {
  /**
   * Runs `work` in a session. A session that was lost, with its token or alone, is replaced, and `work` runs once more.
   * @throws AppError SERVICE_UNAVAILABLE when the token is unavailable or slow; other errors of `work`
   */
  use<T>(work: (session: TokenSession) => Promise<T>): Promise<T>;
  /** Runs `work` in a session that may change the token. Rarely used, so the session is closed afterwards. */
  change<T>(work: (session: TokenSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface TokenOptions {
  readonly label: string;
  readonly pin: string;
  /** Timeout of a call, including its waiting time. */
  readonly timeoutMs: number;
}

/**
 * Maximum sessions: each holds a thread of the pool while the token works. The pool has two threads more than
 * subscribers' keys use.
 */
const maxSessions = 2;
const retryAfterSeconds = 5;

/** Opens a token by its label, in any slot: slot numbers change when a token returns. */
export function createToken(cryptoki: Cryptoki, options: TokenOptions): Token {
  const open = createOpener(cryptoki, options);
  const close = (session: TokenSession) => cryptoki.closeSession(session.handle).catch(() => undefined);
  const enter = createGate(maxSessions);
  const idle: TokenSession[] = [];

  const tryOnce = async <T>(session: TokenSession, work: (session: TokenSession) => Promise<T>) => {
    try {
      const result = await work(session);
      idle.push(session);
      return result;
    } catch (error) {
      // After any error, an operation may be unfinished in this session.
      await close(session);
      throw error;
    }
  };
  const tryTwice = async <T>(work: (session: TokenSession) => Promise<T>): Promise<T> => {
    try {
      return await tryOnce(idle.pop() ?? (await open(false)), work);
    } catch (error) {
      if (!isSessionLoss(error)) throw error;
    }
    return tryOnce(await open(false), work);
  };
  return {
    use: (work) =>
      asUnavailable(withTimeout(options.timeoutMs, (signal) => enter(() => tryTwice(work), signal))),
    // Creating a key may take a token minutes, and an operator waits for it.
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
 * Limits concurrent calls; others queue in order. A call that hangs keeps its slot and its thread, so that no later
 * call hangs another thread.
 */
function createGate(slots: number) {
  const waiting: (() => void)[] = [];
  let used = 0;
  return async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    if (used === slots) await new Promise<void>((resolve) => waiting.push(resolve));
    else used += 1;
    try {
      // The caller may have timed out while it waited.
      signal?.throwIfAborted();
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else used -= 1;
    }
  };
}

/** Runs `work` with a timeout, which aborts its signal. */
async function withTimeout<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeout = new AbortController();
  const working = work(timeout.signal);
  const timer = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    timeout.abort();
    throw new TokenAbsent(`the token did not answer within ${timeoutMs} ms`);
  });
  // The losing promise must not cause an unhandled rejection.
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
    if (!isSessionLoss(cause)) throw cause;
    throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds, cause });
  }
}

/** Opens sessions that are logged in. A refused PIN is not tried again, because that would lock the token. */
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
    // Called each time, as a module may lose its state; otherwise it has no effect.
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
