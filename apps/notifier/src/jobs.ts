import type { Bus } from '@rubrica/bus';
import { consumers } from '@rubrica/contracts/messages/messages';
import { AppError, currentContext, type ServiceParts } from '@rubrica/process';
import { consumeMessages, type MessageOutcome } from '@rubrica/wiring';
import type { ApplicantMessageQueues } from './applicant-messages/message-queues.ts';
import type { DeliveryQueue } from './deliveries/delivery-queue.ts';

/**
 * Concurrent jobs. Each waits for one or two calls, so few would leave the service idle, and jobs that wait together
 * are written together.
 */
const webhookJobSlots = 64;
const mailJobSlots = 64;
const smsJobSlots = 8;

export interface JobsDeps {
  readonly streams: Bus;
  readonly deliveries: Pick<DeliveryQueue, 'receive'>;
  readonly applicantMessages: Pick<ApplicantMessageQueues, 'receive'>;
}

/** Moves the jobs of the three streams into the ledger, from which the queues send. */
export function startJobs(
  { streams, deliveries, applicantMessages }: JobsDeps,
  { logger, runner }: Pick<ServiceParts, 'logger' | 'runner'>,
): void {
  const webhookJobs = consumeMessages({
    bus: streams,
    logger,
    consumer: consumers.webhookJobs,
    slots: webhookJobSlots,
    handlers: {
      'jobs.webhook.deliver': ({ eventId }) =>
        unlessGone(deliveries.receive({ eventId, traceparent: currentContext()?.traceparent }), {
          id: eventId,
          logger,
        }),
    },
  });
  runner.own('webhook jobs', webhookJobs.stop);
  const mailJobs = consumeMessages({
    bus: streams,
    logger,
    consumer: consumers.mailJobs,
    slots: mailJobSlots,
    handlers: {
      'jobs.mail.send': ({ messageId }) =>
        unlessGone(applicantMessages.receive(messageId), { id: messageId, logger }),
    },
  });
  runner.own('mail jobs', mailJobs.stop);
  const smsJobs = consumeMessages({
    bus: streams,
    logger,
    consumer: consumers.smsJobs,
    slots: smsJobSlots,
    handlers: {
      'jobs.sms.send': ({ messageId }) =>
        unlessGone(applicantMessages.receive(messageId), { id: messageId, logger }),
    },
  });
  runner.own('sms jobs', smsJobs.stop);
}

/**
 * Resolves when the ledger has the work, or nothing is left to do. A job whose record is unknown to its owner can never
 * succeed. Content that was deleted before (an erasure, or days that a partner skipped in the sandbox) is not a fault.
 */
async function unlessGone(
  work: Promise<void>,
  { id, logger }: { readonly id: string; readonly logger: Pick<ServiceParts['logger'], 'warn'> },
): Promise<MessageOutcome> {
  try {
    await work;
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    if (err.code === 'REQUEST_NOT_FOUND') return { never: err };
    if (err.code !== 'PAYLOAD_EXPIRED') throw err;
    logger.warn({ err, messageId: id }, 'content deleted before sending');
  }
  return undefined;
}
