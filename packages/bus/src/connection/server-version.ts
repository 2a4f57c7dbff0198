/**
 * First safe versions. Before these, a client of one account can delete the streams of every other (CVE-2025-30215).
 */
const firstSafe = new Map([
  [10, 27],
  [11, 1],
]);

export interface FoundServer {
  /** Version as the server reports it. */
  readonly version: string;
  /** Address as it was dialled, `host:port`. */
  readonly address: string;
}

/**
 * Returns the reason why this server must not be used; undefined if it may. Older ones are allowed on loopback only.
 */
export function checkServerVersion({ version, address }: FoundServer): Error | undefined {
  if (isSafe(version) || isLoopback(address)) return undefined;
  return new Error(
    `nats-server ${version} at ${address} is too old: away from loopback it must be 2.10.27 or later, of 2.11 at least 2.11.1`,
  );
}

function isSafe(version: string): boolean {
  const [, major, minor, patch] = (/^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  if (major === undefined || minor === undefined || patch === undefined) return false;
  if (major !== 2) return major > 2;
  return minor > 11 || patch >= (firstSafe.get(minor) ?? Number.POSITIVE_INFINITY);
}

function isLoopback(address: string): boolean {
  const host = address.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
