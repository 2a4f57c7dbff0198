import { type CountedNetwork, listNetworks } from '@rubrica/process';
import type { FastifyRequest } from 'fastify';

/** A request from whose headers its caller is known, as far as that goes. */
export type CalledBy = Pick<FastifyRequest, 'caller' | 'ip'>;

/** The caller in one word: of an address its narrowest network. */
export function nameOf(keys: readonly CountedNetwork[]): string {
  return keys[0]?.key ?? '';
}

/** Keys that a call is counted by: the partner or the operator, or the networks of a caller that is neither. */
export function listCallerKeys({ caller, ip }: CalledBy): readonly CountedNetwork[] {
  if (caller.kind === 'partner') return [{ key: caller.partnerId, share: 1 }];
  if (caller.kind === 'operator') return [{ key: caller.operatorId, share: 1 }];
  return listNetworks(ip);
}
