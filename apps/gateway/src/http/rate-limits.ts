import rateLimit from '@fastify/rate-limit';
import { AppError } from '@rubrica/process';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.ts';

/** @throws AppError RATE_LIMITED; sets the `RateLimit` headers where a limit is in force */
export type Limit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface RateLimits {
  /** Calls of one partner; the request must be authenticated. `undefined`: no limit. */
  readonly partner: Limit | undefined;
  /** Counts one more of the partner's; how long it has to wait and be counted again, ms. */
  readonly partnerWaitMs: (request: FastifyRequest) => Promise<number>;
  /** Calls of one address for which nobody is known: look-ups, pages, files, unknown addresses. */
  readonly address: Limit | undefined;
  /** The same for the load balancer's question, which must not fail because of the calls that it brings. */
  readonly health: Limit | undefined;
  /** Tokens refused to one address: guessing must not be free. */
  readonly refusals: Limit | undefined;
  /** Sign-ins of one address, by client or operator. */
  readonly signIn: Limit | undefined;
}

/** The options of a route under a limit. */
export function limited(limit: Limit | undefined): { readonly onRequest?: Limit } {
  return limit === undefined ? {} : { onRequest: limit };
}

const windowMs = 60_000;
/** Partners or addresses that are counted at once; the least recent ones are forgotten. */
const maxCounted = 20_000;

/** Each copy counts for itself: with three copies a partner may reach three times the figure. */
export async function createRateLimits(
  app: FastifyInstance,
  settings: GatewayConfig['rateLimits'],
): Promise<RateLimits> {
  await app.register(rateLimit, { global: false, cache: maxCounted });
  const counter = (max: number, keyGenerator?: (request: FastifyRequest) => string) =>
    app.createRateLimit({ max, timeWindow: windowMs, ...(keyGenerator ? { keyGenerator } : {}) });
  const limit = (max: number, count = counter(max)): Limit | undefined => {
    if (max === 0) return undefined;
    return async (request, reply) => {
      const result = await count(request);
      if (result.isAllowed) return;
      reply
        .header('ratelimit-limit', String(max))
        .header('ratelimit-remaining', String(result.remaining))
        .header('ratelimit-reset', String(result.ttlInSeconds));
      if (!result.isExceeded) return;
      throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds: Math.max(1, result.ttlInSeconds) });
    };
  };
  const countPartner = counter(settings.partner, ({ caller }) =>
    caller.kind === 'partner' ? caller.partnerId : 'none',
  );
  return {
    partner: limit(settings.partner, countPartner),
    async partnerWaitMs(request) {
      if (settings.partner === 0) return 0;
      const result = await countPartner(request);
      return !result.isAllowed && result.isExceeded ? Math.max(1, result.ttl) : 0;
    },
    address: limit(settings.address),
    refusals: limit(settings.address),
    health: limit(settings.address),
    signIn: limit(settings.token),
  };
}
