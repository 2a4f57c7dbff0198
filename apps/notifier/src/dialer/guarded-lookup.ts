import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { checkAddress, type DestinationPolicy } from './destination-policy.ts';
import { createResolveName, type Resolve } from './resolve-name.ts';

/**
 * Resolves names for sockets and refuses forbidden addresses. The check sits in the socket's own look-up, so that the
 * addresses judged are the addresses dialled: a name that changes in between gains nothing.
 */
export function createGuardedLookup(
  policy: DestinationPolicy,
  resolve: Resolve = coalesced(createResolveName()),
): (protocol: string) => LookupFunction {
  return (protocol) => guardedLookup(protocol, { policy, resolve });
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

/** One look-up per name at a time: many deliveries to one receiver ask its name servers once. */
function coalesced(resolve: Resolve): Resolve {
  const pending = new Map<string, Promise<LookupAddress[]>>();
  return (hostname) => {
    const running = pending.get(hostname) ?? resolve(hostname).finally(() => pending.delete(hostname));
    pending.set(hostname, running);
    return running;
  };
}
