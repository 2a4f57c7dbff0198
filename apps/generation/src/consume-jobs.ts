import {
  type Bus,
  type Consuming,
  consume,
  createPublisher,
  type Incoming,
  type Outcome,
} from '@rubrica/bus';
import { consumers, type Message, messageSchemas } from '@rubrica/contracts';
import { type Logger, newTraceparent, withContext, withSpan } from '@rubrica/service';
import type { RunOutcome } from './issue-certificate/run-issuance.ts';

type Job = Message<'jobs.certificate.issue'>;

/**
 * Works on the certificate jobs, each in the request and trace it came from. A message that does not fit its schema
 * goes to the dead letters, byte for byte, and is never delivered again.
 */
export function consumeJobs(deps: {
  bus: Bus;
  slots: number;
  logger: Logger;
  run: (job: Job) => Promise<RunOutcome>;
}): Consuming {
  const { bus, slots, logger, run } = deps;
  const { publish } = createPublisher(bus);
  return consume<Job>(bus, {
    ...consumers.certificateJobs,
    slots,
    parse: (json) => messageSchemas['jobs.certificate.issue'].parse(json),
    handle: (incoming) => inContext(incoming, async () => answerTo(await run(incoming.body))),
    async onInvalid({ subject, id, data }, err) {
      logger.error({ err, subject, messageId: id }, 'a message does not fit its schema');
      await publish({ subject: `dlq.${subject}`, id: `dlq:${id}`, data });
    },
    onError: (err, delivery) =>
      logger.warn(
        { err, subject: delivery?.subject, messageId: delivery?.id },
        'a message will be tried again',
      ),
  });
}

const answerTo = (outcome: RunOutcome): Outcome =>
  outcome.kind === 'done' ? { outcome: 'ack' } : { outcome: 'nak', delayMs: outcome.delayMs };

function inContext(
  { headers, subject, body }: Incoming<Job>,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const requestId = headers['x-request-id'] ?? body.requestId;
  const traceparent = headers.traceparent ?? newTraceparent();
  return withContext({ requestId, traceparent }, () => withSpan(`work ${subject}`, { subject }, work));
}
