import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Session } from './sealed-session.ts';

/** Whose browser asks, as headers that the gateway is given: it counts renewals by address. */
export type ForBrowser = Readonly<Record<string, string>>;

/** A session with a new access token; undefined where the refresh token is not taken any more. */
export type Renew = (session: Session, browser: ForBrowser) => Promise<Session | undefined>;

/** The session to go on with, the same where nothing was due; undefined where it has ended. */
export type KeepFresh = (session: Session, browser: ForBrowser) => Promise<Session | undefined>;

const marginMs = 60_000;

/**
 * A minute before the end, and never before half of its life: were a new token due at once, each call would use a refresh
 * token up, and one that another copy of this server still has under way would come too late.
 */
export function renewAtMs(nowMs: number, lifeMs: number): number {
  return nowMs + lifeMs - Math.min(marginMs, lifeMs / 2);
}

/** For calls that were under way with the old cookie; its refresh token must not be shown a second time. */
const rememberedMs = 60_000;
const maxRemembered = 10_000;

/**
 * Renews a session whose access token is near its end, once for each refresh token: a page has many calls under way, and
 * a refresh token that comes twice ends the session, because it could have been stolen.
 */
export function createKeepFresh(deps: { readonly renew: Renew; nowMs(): number }): KeepFresh {
  const { renew, nowMs } = deps;
  const renewals = new LRUCache<string, Promise<Session | undefined>>({
    max: maxRemembered,
    ttl: rememberedMs,
    ttlResolution: 0,
    perf: { now: nowMs },
  });
  return async (session, browser) => {
    if ((session.renewAtMs ?? session.accessEndsAtMs - marginMs) > nowMs()) return session;
    const { refreshToken } = session;
    if (refreshToken === undefined) return session.accessEndsAtMs > nowMs() ? session : undefined;
    const key = createHash('sha256').update(refreshToken).digest('base64url');
    const known = renewals.get(key);
    if (known !== undefined) return known;
    const renewal = renew(session, browser);
    renewals.set(key, renewal);
    // The gateway was not reached: the token was perhaps not used, so the next call tries again.
    renewal.catch(() => renewals.delete(key));
    return renewal;
  };
}
