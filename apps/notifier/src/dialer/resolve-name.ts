import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** Resolves a name to all of its addresses; replaceable, because rebinding cannot be tested with real names. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export interface ResolveNameOptions {
  /** Name servers as `address:port`; those of the system by default. */
  readonly servers?: readonly string[];
  /** Text of the hosts file. */
  readonly readHosts?: () => string;
  /** Time limit per name. */
  readonly limitMs?: number;
}

const defaultLimitMs = 5_000;
/** Leaves time within the limit for a second server or try. */
const queryTimeoutMs = 2_000;

/**
 * Creates a resolver for names that third parties have chosen. `dns.lookup` (getaddrinfo) would occupy two of the four
 * threads of libuv's pool, for ten seconds and more with a silent server, so a few such names would stop all webhooks.
 * This resolver blocks no thread, and each lookup has its own time limit. The hosts file and `localhost` (RFC 6761)
 * count as for `dns.lookup`; the search list of `resolv.conf` does not.
 */
export function createResolveName({
  servers,
  readHosts = readSystemHosts,
  limitMs = defaultLimitMs,
}: ResolveNameOptions = {}): Resolve {
  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    // Read synchronously, because the thread pool may be busy; the file is small.
    const hostAddresses = findInHosts(readHosts(), name);
    if (hostAddresses.length > 0) return hostAddresses;
    if (name === 'localhost' || name.endsWith('.localhost')) return loopback;
    // One resolver per name: it can be cancelled separately, and reads the current name servers.
    const resolver = new Resolver({ timeout: queryTimeoutMs, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const limit = setTimeout(() => resolver.cancel(), limitMs);
    try {
      return await queryServers(resolver, name);
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
    return family !== 0 && names.some((hostName) => hostName.toLowerCase() === name)
      ? [{ address, family }]
      : [];
  });
}

const hasNoAddress: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Queries the name servers.
 * @throws Error with getaddrinfo's codes: ENOTFOUND for a name without address, EAI_AGAIN where no server answered
 */
async function queryServers(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length > 0) return addresses;
  const failure = [v4, v6].find(
    (result) => result.status === 'rejected' && !hasNoAddress.has(result.reason?.code),
  );
  if (failure === undefined) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
  throw Object.assign(new Error('no answer of a name server'), { code: 'EAI_AGAIN' });
}
