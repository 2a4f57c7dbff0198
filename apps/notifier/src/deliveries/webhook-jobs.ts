import type { Bus } from '@rubrica/bus';
import { consumers } from '@rubrica/contracts/messages/messages';
import { currentContext } from '@rubrica/process/context';
import type { ServiceParts } from '@rubrica/process/runner';
import { consumeMessages } from '@rubrica/wiring';
import { endJob } from '../store/gone-records.ts';
import type { DeliveryQueue } from './delivery-queue.ts';

/**
 * Concurrent jobs. Each waits for two calls, so few would leave the service idle, and jobs that wait together are
 * written together.
 */
const slots = 64;

/** Turns the jobs of the stream into deliveries, which the queue sends. */
export function startWebhookJobs(
  { streams, deliveries }: { readonly streams: Bus; readonly deliveries: Pick<DeliveryQueue, 'receive'> },
  { logger, runner }: Pick<ServiceParts, 'logger' | 'runner'>,
): void {
  const consuming = consumeMessages({
    bus: streams,
    logger,
    consumer: consumers.webhookJobs,
    slots,
    handlers: {
      'jobs.webhook.deliver': ({ eventId }) =>
        endJob(deliveries.receive({ eventId, traceparent: currentContext()?.traceparent }), {
          id: eventId,
          logger,
        }),
    },
  });
  runner.own('webhook jobs', consuming.stop);
}
