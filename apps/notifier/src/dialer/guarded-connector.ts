import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { checkAddress, type DestinationPolicy } from './destination-policy.ts';

/** Resolves a name to all of its addresses; replaceable because rebinding cannot be rehearsed with real names. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Opens connections for undici and refuses forbidden addresses. The check sits in the socket's own look-up,
 * so that the addresses judged are the addresses dialled: a name that changes in between gains nothing.
 */
export function guardedConnector(
  policy: DestinationPolicy,
  { connectTimeoutMs, resolve = coalesced(resolveName) }: { connectTimeoutMs: number; resolve?: Resolve },
): buildConnector.connector {
  const byProtocol = (protocol: string) =>
    buildConnector({
      // One exchange per connection at a time keeps a slow answer from holding up others.
      allowH2: false,
      timeout: connectTimeoutMs,
      lookup: guardedLookup(protocol, { policy, resolve }),
    });
  const connectors = new Map(['http:', 'https:'].map((protocol) => [protocol, byProtocol(protocol)]));
  return (options, callback) => {
    const { protocol, hostname } = options;
    // The socket looks up names only; a literal has to be judged here.
    const refusal = isIP(hostname)
      ? checkAddress({ protocol, hostname, address: hostname }, policy)
      : undefined;
    if (refusal !== undefined) return callback(refusal, null);
    connectors.get(protocol)?.(options, callback);
  };
}

function guardedLookup(
  protocol: string,
  { policy, resolve }: { policy: DestinationPolicy; resolve: Resolve },
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        // One forbidden address among public ones is no accident of a decent operator: all are refused.
        for (const { address } of addresses) {
          const refusal = checkAddress({ protocol, hostname, address }, policy);
          if (refusal !== undefined) return callback(refusal, []);
        }
        const [first] = addresses;
        if (first === undefined)
          return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), []);
        if (options.all) return callback(null, addresses);
        return callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

function resolveName(hostname: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true, order: 'verbatim' }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    );
  });
}

/**
 * One look-up per name at a time. getaddrinfo runs on four threads that also do the encryption; without this a
 * single name whose servers are dead would take all of them.
 */
function coalesced(resolve: Resolve): Resolve {
  const pending = new Map<string, Promise<LookupAddress[]>>();
  return (hostname) => {
    const running = pending.get(hostname) ?? resolve(hostname).finally(() => pending.delete(hostname));
    pending.set(hostname, running);
    return running;
  };
}
