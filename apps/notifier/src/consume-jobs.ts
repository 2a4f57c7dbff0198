import { type Bus, type Consuming, consume, createPublisher, type Incoming } from '@rubrica/bus';
import {
  type ConsumerDefinition,
  type Message,
  type MessageSubject,
  messageSchemas,
} from '@rubrica/contracts';
import { AppError, type Logger, newTraceparent, uuidv7, withContext, withSpan } from '@rubrica/service';

export type JobOptions<Subject extends MessageSubject> = {
  bus: Bus;
  consumer: ConsumerDefinition;
  subject: Subject;
  slots: number;
  /** Resolves when the ledger has the work, which is when the job may be forgotten. */
  work(job: Message<Subject>, traceparent: string | undefined): Promise<void>;
  logger: Logger;
};

/**
 * Works on the jobs of one consumer in the request and trace they came from. What cannot be done now comes again;
 * what can never be done (of no schema, of no record) goes to the dead letters, byte for byte.
 */
export function consumeJobs<Subject extends MessageSubject>(options: JobOptions<Subject>): Consuming {
  const { bus, consumer, logger, subject, work } = options;
  const { publish } = createPublisher(bus);
  const bury = async (job: Pick<Incoming<unknown>, 'id' | 'subject' | 'data'>, err: unknown) => {
    logger.error({ err, subject: job.subject, jobId: job.id }, 'a job can never be done');
    await publish({ subject: `dlq.${job.subject}`, id: `dlq:${job.id}`, data: job.data });
  };
  return consume(bus, {
    ...consumer,
    slots: options.slots,
    parse: (json) => messageSchemas[subject].parse(json) as Message<Subject>,
    handle: (job) =>
      inContext(job, async () => {
        try {
          await work(job.body, job.headers.traceparent);
        } catch (error) {
          if (!isGone(error)) throw error;
          await bury(job, error);
          return { outcome: 'term' };
        }
        return { outcome: 'ack' };
      }),
    onInvalid: bury,
    onError: (err, job) => logger.warn({ err, subject, jobId: job?.id }, 'a job will be tried again'),
  });
}

const isGone = (error: unknown) => error instanceof AppError && error.code === 'REQUEST_NOT_FOUND';

function inContext<Result>(job: Incoming<unknown>, run: () => Promise<Result>): Promise<Result> {
  const context = {
    requestId: job.headers['x-request-id'] ?? uuidv7(),
    traceparent: job.headers.traceparent ?? newTraceparent(),
  };
  return withContext(context, () => withSpan(`work ${job.subject}`, { subject: job.subject }, run));
}
