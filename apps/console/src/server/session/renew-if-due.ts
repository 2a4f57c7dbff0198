import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Session } from './sealed-session.ts';

/** Headers that identify the browser to the gateway, which counts renewals by address. */
export type BrowserHeaders = Readonly<Record<string, string>>;

/** Renews the tokens of a session; undefined where the refresh token is refused. */
export type RenewSession = (session: Session, browser: BrowserHeaders) => Promise<Session | undefined>;

/** Returns the session to continue with, unchanged where no renewal is due; undefined where it has ended. */
export type RenewIfDue = (session: Session, browser: BrowserHeaders) => Promise<Session | undefined>;

const marginMs = 60_000;

/**
 * Computes the time of renewal: one minute before the expiry, but not before half of the lifetime. If a new token were
 * due immediately, each call would use up a refresh token. One in progress in another copy of this server would come
 * too late.
 */
export function computeRenewAtMs(nowMs: number, lifeMs: number): number {
  return nowMs + lifeMs - Math.min(marginMs, lifeMs / 2);
}

/**
 * Time for which calls that started with the old cookie get the same renewal; its refresh token must not be used twice.
 */
const renewalCacheMs = 60_000;
const maxCached = 10_000;

/**
 * Creates the renewal of sessions whose access token is about to expire, once per refresh token: a page makes many
 * concurrent calls. A reused refresh token ends the session, because it could be stolen.
 */
export function createRenewIfDue(deps: { readonly renew: RenewSession; nowMs(): number }): RenewIfDue {
  const { renew, nowMs } = deps;
  const renewals = new LRUCache<string, Promise<Session | undefined>>({
    max: maxCached,
    ttl: renewalCacheMs,
    ttlResolution: 0,
    perf: { now: nowMs },
  });
  return async (session, browser) => {
    if ((session.renewAtMs ?? session.accessEndsAtMs - marginMs) > nowMs()) return session;
    const { refreshToken } = session;
    if (refreshToken === undefined) return session.accessEndsAtMs > nowMs() ? session : undefined;
    const key = createHash('sha256').update(refreshToken).digest('base64url');
    const existing = renewals.get(key);
    if (existing !== undefined) return existing;
    const renewal = renew(session, browser);
    renewals.set(key, renewal);
    // The gateway was unreachable: the token may be unused, so the next call retries.
    renewal.catch(() => renewals.delete(key));
    return renewal;
  };
}
