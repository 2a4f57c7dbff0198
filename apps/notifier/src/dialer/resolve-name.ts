import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** Resolves a name to all of its addresses; replaceable because rebinding cannot be rehearsed with real names. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export interface ResolveNameOptions {
  /** `address:port` each; those of the system without it. */
  readonly servers?: readonly string[];
  /** Text of the hosts file. */
  readonly readHosts?: () => string;
  /** Time for one name. */
  readonly limitMs?: number;
}

const usualLimitMs = 5_000;
/** A second server, or a second try, has time within the limit. */
const queryTimeoutMs = 2_000;

/**
 * Resolves names that strangers have chosen. `dns.lookup` (getaddrinfo) would wait for them on two of the four threads
 * of libuv's pool, ten seconds and more for a name whose servers are silent, so a few such names would stop all
 * webhooks. Here no thread waits, and each look-up ends by its own time. The hosts file and `localhost` (RFC 6761) count as
 * they do for `dns.lookup`; the search list of `resolv.conf` does not.
 */
export function createResolveName({
  servers,
  readHosts = readSystemHosts,
  limitMs = usualLimitMs,
}: ResolveNameOptions = {}): Resolve {
  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    // Read without a thread of the pool, which may be busy; the file is small.
    const own = findInHosts(readHosts(), name);
    if (own.length > 0) return own;
    if (name === 'localhost' || name.endsWith('.localhost')) return loopback;
    // One for each name: it can be cancelled by itself, and reads the name servers as they are now.
    const resolver = new Resolver({ timeout: queryTimeoutMs, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const limit = setTimeout(() => resolver.cancel(), limitMs);
    try {
      return await ask(resolver, name);
    } finally {
      clearTimeout(limit);
    }
  };
}

const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

function readSystemHosts(): string {
  try {
    return readFileSync('/etc/hosts', 'utf8');
  } catch {
    return '';
  }
}

function findInHosts(text: string, name: string): LookupAddress[] {
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    return family !== 0 && names.some((one) => one.toLowerCase() === name) ? [{ address, family }] : [];
  });
}

const hasNoAddress: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** @throws Error with getaddrinfo's codes: ENOTFOUND for a name without address, EAI_AGAIN where no server said so */
async function ask(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length > 0) return addresses;
  const silent = [v4, v6].find((one) => one.status === 'rejected' && !hasNoAddress.has(one.reason?.code));
  if (silent === undefined) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
  throw Object.assign(new Error('no answer of a name server'), { code: 'EAI_AGAIN' });
}
