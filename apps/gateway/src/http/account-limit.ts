import { AppError, createLruCache } from '@rubrica/process';

export interface SignInAttempt {
  readonly account: string;
  readonly address: string;
}

/** @throws AppError RATE_LIMITED with the seconds to wait */
export type AccountLimit = (attempt: SignInAttempt) => void;

export interface AccountLimitOptions {
  readonly max: number;
  readonly windowMs: number;
  readonly maxCounted: number;
  readonly nowMs?: () => number;
}

/** Counts the sign-ins of one account from one address: from elsewhere nobody can use up what its owner has. */
export function createAccountLimit({
  max,
  windowMs,
  maxCounted,
  nowMs = Date.now,
}: AccountLimitOptions): AccountLimit {
  const counted = createLruCache<string, { count: number; readonly untilMs: number }>({
    max: maxCounted,
    ttlMs: windowMs,
    nowMs,
  });
  return ({ account, address }) => {
    const key = `${address} ${account.toLowerCase()}`;
    const known = counted.get(key);
    if (known === undefined) {
      counted.set(key, { count: 1, untilMs: nowMs() + windowMs });
      return;
    }
    known.count += 1;
    if (known.count <= max) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((known.untilMs - nowMs()) / 1000));
    throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds });
  };
}
