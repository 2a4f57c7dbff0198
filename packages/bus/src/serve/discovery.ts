import { randomBytes } from 'node:crypto';
import type { Msg } from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import { subscribe } from '../connection/subscribe.ts';
import { isReplySubject } from '../wire/subjects.ts';
import type { ProcedureStatistics, Statistics } from './statistics.ts';

export interface ServiceDescription {
  /** Letters, digits, "_" and "-". */
  readonly name: string;
  /** Semantic version. */
  readonly version: string;
  readonly description: string;
  readonly subjectPrefix: string;
  readonly queue: string;
}

const verbs = ['PING', 'INFO', 'STATS'] as const;
type Verb = (typeof verbs)[number];

/**
 * Answers NATS' service API (ADR-32) so that `nats micro ls`, `info` and `stats` list the service. The client's own
 * service framework would also take the calls, and does not await handlers.
 */
export function announce(
  bus: Bus,
  service: ServiceDescription,
  statistics: Statistics,
): { id: string; stop(): Promise<void> } {
  const id = randomBytes(12).toString('hex');
  const identity = { name: service.name, id, version: service.version, metadata: {} };
  const answers: Record<Verb, () => object> = {
    PING: () => ({ type: 'io.nats.micro.v1.ping_response', ...identity }),
    INFO: () => ({
      type: 'io.nats.micro.v1.info_response',
      ...identity,
      description: service.description,
      endpoints: [...statistics.paths()].map(([path]) => ({
        ...formatEndpoint(service, path),
        metadata: {},
      })),
    }),
    STATS: () => ({
      type: 'io.nats.micro.v1.stats_response',
      ...identity,
      started: statistics.startedAt.toISOString(),
      endpoints: [...statistics.paths(), ['_unknown', statistics.unknown] as const].map(
        ([path, counters]) => ({
          ...formatEndpoint(service, path),
          ...formatCounters(counters),
        }),
      ),
    }),
  };
  const subscriptions = verbs.flatMap((verb) =>
    [`$SRV.${verb}`, `$SRV.${verb}.${service.name}`, `$SRV.${verb}.${service.name}.${id}`].map((subject) =>
      subscribe(bus, subject, {
        onMessage: (message) => answer(message, answers[verb]()),
        onRefused: (error) => bus.fault(error, `discovery ${subject}`),
      }),
    ),
  );
  return {
    id,
    async stop() {
      await Promise.allSettled(subscriptions.filter((one) => !one.isClosed()).map((one) => one.drain()));
    },
  };
}

function answer(message: Msg, body: object): void {
  if (message.reply === undefined || !isReplySubject(message.reply)) return;
  message.respond(Buffer.from(JSON.stringify(body)));
}

function formatEndpoint(service: ServiceDescription, path: string): object {
  return {
    name: path.replaceAll('.', '-'),
    subject: `${service.subjectPrefix}.${path === '_unknown' ? '>' : path}`,
    queue_group: service.queue,
  };
}

function formatCounters(counters: ProcedureStatistics): object {
  const { requests, errors, lastError, processingNs } = counters;
  return {
    num_requests: requests,
    num_errors: errors,
    last_error: lastError,
    processing_time: Math.round(processingNs),
    average_processing_time: requests === 0 ? 0 : Math.round(processingNs / requests),
  };
}
