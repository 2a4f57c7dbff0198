import { AppError } from '@rubrica/process';
import type { FastifyInstance } from 'fastify';

/** For load balancers that reach only the public port; details are on the management port. */
export function serveHealth(app: FastifyInstance, isReady: () => boolean): void {
  app.get('/health', async () => {
    if (!isReady()) throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 });
    return { status: 'ok' };
  });
}
