import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { checkAddress, type DestinationPolicy, type RefusedName } from './destination-policy.ts';
import { createResolveName, type Resolve } from './resolve-name.ts';

/**
 * Resolves names for sockets and refuses forbidden addresses. The check sits in the socket's own look-up, so that the
 * addresses judged are the addresses dialled: a name that changes in between gains nothing.
 */
export function createGuardedLookup({
  resolve = coalesced(createResolveName()),
  ...guard
}: Omit<Guard, 'resolve'> & { readonly resolve?: Resolve | undefined }): (
  protocol: string,
) => LookupFunction {
  return (protocol) => guardedLookup(protocol, { ...guard, resolve });
}

interface Guard {
  readonly policy: DestinationPolicy;
  readonly resolve: Resolve;
  readonly onRefused?: ((refused: RefusedName) => void) | undefined;
}

function guardedLookup(protocol: string, { policy, resolve, onRefused }: Guard): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        // One forbidden address among public ones is no accident of a decent operator: all are refused.
        for (const { address } of addresses) {
          const refusal = checkAddress({ protocol, hostname, address }, policy);
          if (refusal?.refused !== undefined) onRefused?.(refusal.refused);
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
