import rateLimit from '@fastify/rate-limit';
import { testEventsPerMinute } from '@rubrica/contracts/rest/lists';
import { AppError } from '@rubrica/process/errors';
import { listNetworks } from '@rubrica/process/networks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.ts';

/**
 * Checks and counts a call; sets the `RateLimit` headers where a limit is configured.
 * @throws AppError RATE_LIMITED
 */
export type Limit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface RateLimits {
  /** Limits calls of one partner; the request must be authenticated. `undefined`: no limit. */
  readonly partner: Limit | undefined;
  /** Limits test events of one partner, regardless of the settings: each is a call to a receiver. */
  readonly testEvents: Limit | undefined;
  /** Counts one more call of the partner; returns the milliseconds to wait before counting again. */
  readonly partnerWaitMs: (request: FastifyRequest) => Promise<number>;
  /** Limits unauthenticated calls of one address: lookups, pages, files, unknown addresses. */
  readonly address: Limit | undefined;
  /** Limits health checks separately, which must not fail because of other calls from the load balancer. */
  readonly health: Limit | undefined;
  /** Limits refused tokens of one address, so that guessing is not free. */
  readonly refusals: Limit | undefined;
  /** Limits sign-ins of one address, by client or operator. */
  readonly signIn: Limit | undefined;
}

/** Creates the options of a route with a limit. */
export function withLimit(createLimit: Limit | undefined): { readonly onRequest?: Limit } {
  return createLimit === undefined ? {} : { onRequest: createLimit };
}

const windowMs = 60_000;
/** Maximum number of partners or addresses that are counted; the least recent are dropped. */
const maxCounted = 20_000;

/**
 * Creates the rate limits. Each copy counts separately: with three copies a partner may reach three times the limit.
 */
export async function createRateLimits(
  app: FastifyInstance,
  settings: GatewayConfig['rateLimits'],
): Promise<RateLimits> {
  await app.register(rateLimit, { global: false, cache: maxCounted });
  const counter = (max: number, keyGenerator: (request: FastifyRequest) => string) =>
    app.createRateLimit({ max, timeWindow: windowMs, keyGenerator });
  const partnerKey = ({ caller }: FastifyRequest) => (caller.kind === 'partner' ? caller.partnerId : 'none');
  const countPartner = counter(settings.partner, partnerKey);
  /** Limits an address and the wider network that contains it. */
  const limitNetworks = (max: number) =>
    createLimit(
      listNetworks('::').map(({ share }, level) => ({
        max: share * max,
        count: counter(share * max, ({ ip }) => listNetworks(ip)[level]?.key ?? 'none'),
        isFor: ({ ip }: FastifyRequest) => level < listNetworks(ip).length,
      })),
    );
  return {
    partner: createLimit([{ max: settings.partner, count: countPartner }]),
    testEvents: createLimit([{ max: testEventsPerMinute, count: counter(testEventsPerMinute, partnerKey) }]),
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
  /** Applies to all requests by default. */
  isFor?(request: FastifyRequest): boolean;
}

/**
 * Counts a call at each level. A call that one level refuses is not counted at the next ones. The headers are those of
 * the level with the least remaining.
 */
function createLimit(levels: readonly Level[]): Limit | undefined {
  if (levels.some(({ max }) => max === 0)) return undefined;
  return async (request, reply) => {
    let minRemaining = Number.POSITIVE_INFINITY;
    for (const { max, count, isFor } of levels) {
      if (isFor?.(request) === false) continue;
      const result = await count(request);
      if (result.isAllowed) continue;
      if (result.remaining < minRemaining || result.isExceeded) {
        minRemaining = result.remaining;
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
