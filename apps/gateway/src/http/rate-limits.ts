import rateLimit from '@fastify/rate-limit';
import { testEventsPerMinute } from '@rubrica/contracts/rest/lists';
import { AppError, listNetworks } from '@rubrica/process';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.ts';

/** @throws AppError RATE_LIMITED; sets the `RateLimit` headers where a limit is in force */
export type Limit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface RateLimits {
  /** Calls of one partner; the request must be authenticated. `undefined`: no limit. */
  readonly partner: Limit | undefined;
  /** Test events of one partner, whatever the settings say: each is a call to a receiver. */
  readonly testEvents: Limit | undefined;
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
  const counter = (max: number, keyGenerator: (request: FastifyRequest) => string) =>
    app.createRateLimit({ max, timeWindow: windowMs, keyGenerator });
  const partnerKey = ({ caller }: FastifyRequest) => (caller.kind === 'partner' ? caller.partnerId : 'none');
  const countPartner = counter(settings.partner, partnerKey);
  /** Limits of an address and of the wider network that it is in. */
  const limitNetworks = (max: number) =>
    limit(
      listNetworks('::').map(({ share }, level) => ({
        max: share * max,
        count: counter(share * max, ({ ip }) => listNetworks(ip)[level]?.key ?? 'none'),
        isFor: ({ ip }: FastifyRequest) => level < listNetworks(ip).length,
      })),
    );
  return {
    partner: limit([{ max: settings.partner, count: countPartner }]),
    testEvents: limit([{ max: testEventsPerMinute, count: counter(testEventsPerMinute, partnerKey) }]),
    async partnerWaitMs(request) {
      if (settings.partner === 0) return 0;
      const result = await countPartner(request);
      return !result.isAllowed && result.isExceeded ? Math.max(1, result.ttl) : 0;
    },
    address: limitNetworks(settings.address),
    refusals: limitNetworks(settings.address),
    health: limitNetworks(settings.address),
    signIn: limitNetworks(settings.token),
  };
}

interface Level {
  readonly max: number;
  readonly count: ReturnType<FastifyInstance['createRateLimit']>;
  /** All requests without it. */
  isFor?(request: FastifyRequest): boolean;
}

/**
 * Counts a call at each level. One that a level refuses is not counted at the next ones, and the headers are those of the
 * level of which least is left.
 */
function limit(levels: readonly Level[]): Limit | undefined {
  if (levels.some(({ max }) => max === 0)) return undefined;
  return async (request, reply) => {
    let least = Number.POSITIVE_INFINITY;
    for (const { max, count, isFor } of levels) {
      if (isFor?.(request) === false) continue;
      const result = await count(request);
      if (result.isAllowed) continue;
      if (result.remaining < least || result.isExceeded) {
        least = result.remaining;
        reply
          .header('ratelimit-limit', String(max))
          .header('ratelimit-remaining', String(result.remaining))
          .header('ratelimit-reset', String(result.ttlInSeconds));
      }
      if (result.isExceeded)
        throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds: Math.max(1, result.ttlInSeconds) });
    }
  };
}
