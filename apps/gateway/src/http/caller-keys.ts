import { type CountedNetwork, listNetworks } from '@rubrica/process/networks';
import type { FastifyRequest } from 'fastify';

/** Request from whose headers its caller is identified. */
export type IdentifiedRequest = Pick<FastifyRequest, 'caller' | 'ip'>;

/** Returns one name of the caller; for an address its narrowest network. */
export function callerName(keys: readonly CountedNetwork[]): string {
  return keys[0]?.key ?? '';
}

/** Lists the keys by which a call is counted: the partner or operator, or the networks of another caller. */
export function listCallerKeys({ caller, ip }: IdentifiedRequest): readonly CountedNetwork[] {
  if (caller.kind === 'partner') return [{ key: caller.partnerId, share: 1 }];
  if (caller.kind === 'operator') return [{ key: caller.operatorId, share: 1 }];
  return listNetworks(ip);
}
