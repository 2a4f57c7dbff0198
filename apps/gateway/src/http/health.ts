import { AppError } from '@rubrica/process/errors';
import type { FastifyInstance } from 'fastify';
import { type Limit, withLimit } from './rate-limits.ts';

export interface HealthDeps {
  readonly isReady: () => boolean;
  readonly limit: Limit | undefined;
}

/** Serves the health check for load balancers that reach only the public port; details are on the management port. */
export function serveHealth(app: FastifyInstance, { isReady, limit }: HealthDeps): void {
  app.get('/health', withLimit(limit), async () => {
    if (!isReady()) throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 });
    return { status: 'ok' };
  });
}
