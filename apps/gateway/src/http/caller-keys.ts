import type { FastifyRequest } from 'fastify';
import { networkOf } from './address-of.ts';

/** A request from whose headers its caller is known, as far as that goes. */
export type CalledBy = Pick<FastifyRequest, 'caller' | 'ip'>;

/** By whom a call is counted: the partner or the operator, or the address of whoever is neither. */
export function callerKey({ caller, ip }: CalledBy): string {
  if (caller.kind === 'partner') return caller.partnerId;
  if (caller.kind === 'operator') return caller.operatorId;
  return networkOf(ip);
}
