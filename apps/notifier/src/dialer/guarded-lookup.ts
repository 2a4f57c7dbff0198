import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { checkAddress, type DestinationPolicy, type RefusedName } from './destination-policy.ts';
import { createResolveName, type Resolve } from './resolve-name.ts';

/**
 * Creates a lookup that resolves names for sockets and refuses forbidden addresses. The check is part of the socket's
 * lookup, so that the judged addresses are the dialled ones: a name that changes in between gains nothing.
 */
export function createGuardedLookup({
  resolve = coalesce(createResolveName()),
  ...guard
}: Omit<Guard, 'resolve'> & { readonly resolve?: Resolve | undefined }): (
  protocol: string,
) => LookupFunction {
  return (protocol) => createLookup(protocol, { ...guard, resolve });
}

interface Guard {
  readonly policy: DestinationPolicy;
  readonly resolve: Resolve;
  readonly onRefused?: ((refused: RefusedName) => void) | undefined;
}

function createLookup(protocol: string, { policy, resolve, onRefused }: Guard): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        // A forbidden address among public ones is never legitimate, so all are refused.
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

/** Shares concurrent lookups of a name: many deliveries to one receiver cause one query. */
function coalesce(resolve: Resolve): Resolve {
  const pending = new Map<string, Promise<LookupAddress[]>>();
  return (hostname) => {
    const running = pending.get(hostname) ?? resolve(hostname).finally(() => pending.delete(hostname));
    pending.set(hostname, running);
    return running;
  };
}
