import { isTracing, SpanTemplate, withSpanIn } from '@rubrica/process/tracing';
import type { OwnSession } from '../connection/own-session.ts';
import { publishedMessageId } from '../outbox/published-message-id.ts';
import type { InFlight } from './in-flight.ts';
import type { Pacer } from './pacer.ts';
import type { RelayOptions, RelayTuning } from './relay-options.ts';
import type { OutboxRow } from './relay-sql.ts';
import type { SubjectGate } from './subject-gate.ts';

export interface SenderOptions extends Pick<RelayOptions, 'publish' | 'logger' | 'metrics'> {
  readonly session: OwnSession;
  readonly pacer: Pacer;
  readonly tuning: RelayTuning;
  readonly gate: SubjectGate;
  readonly inFlight: InFlight;
}

export interface Sender {
  /**
   * Publishes rows as the table had them at `knownAt`, in their order. Returns false if not all were sent, because the
   * session was lost or the rows were read too long ago: the table then tells which remain.
   */
  send(rows: readonly OutboxRow[], knownAt: number): boolean;
  /** Counts unanswered rows as failed. */
  giveUp(rows: readonly OutboxRow[]): void;
}

/** Rows read longer ago may have been published by another relay while this process was frozen. */
const isStaleAfterMs = 5_000;

export function createSender(options: SenderOptions): Sender {
  const { session, pacer, tuning, gate, inFlight, metrics, logger } = options;
  const failed = (row: OutboxRow, err: unknown) => {
    const wasOpen = gate.isOpen(row.subject);
    gate.failed(row, performance.now());
    metrics?.failed({ subject: row.subject });
    if (wasOpen) logger.warn({ err, subject: row.subject, messageId: row.message_id }, 'publishing failed');
    pacer.request(Math.max(0, gate.nextDueAt(performance.now()) - performance.now()));
  };
  const acknowledged = (row: OutboxRow, duplicate: boolean) => {
    const wasFull = inFlight.size >= tuning.maxInFlight;
    inFlight.acknowledged(row);
    gate.published(row);
    metrics?.published({ subject: row.subject, duplicate, ageSeconds: row.age_seconds });
    pacer.request(wasFull || !gate.isOpen(row.subject) ? 0 : tuning.markDelayMs);
  };
  const publish = async (row: OutboxRow) => {
    try {
      const { duplicate } = await publishInTrace(row, options.publish);
      acknowledged(row, duplicate);
    } catch (error) {
      if (inFlight.failed(row)) failed(row, error);
    }
  };
  return {
    send(rows, knownAt) {
      for (const row of rows) {
        if (session.isLost() || performance.now() - knownAt > isStaleAfterMs) return false;
        inFlight.start(row, performance.now());
        // Not awaited: publishing is pipelined, in the order of the rows; each outcome is handled above.
        void publish(row);
      }
      return true;
    },
    giveUp(rows) {
      for (const row of rows) failed(row, new Error(`no answer within ${tuning.publishTimeoutMs} ms`));
    },
  };
}

/** Publishes inside the trace of the row's writer, so that the worker's span is below the publish. */
function publishInTrace(row: OutboxRow, publish: RelayOptions['publish']) {
  const { subject, headers } = row;
  const id = publishedMessageId(row.message_id, row.publish_count);
  const send = (traceparent: string | undefined) =>
    publish({
      subject,
      id,
      data: row.payload,
      headers: traceparent === undefined ? headers : { ...headers, traceparent },
    });
  if (!isTracing() || headers.traceparent === undefined) return send(undefined);
  const context = { requestId: headers['x-request-id'] ?? id, traceparent: headers.traceparent };
  const template = new SpanTemplate(`publish ${subject}`, {
    kind: 'producer',
    facts: {
      'messaging.system': 'nats',
      'messaging.operation.name': 'publish',
      'messaging.operation.type': 'send',
      'messaging.destination.name': subject,
      'messaging.message.id': id,
    },
    fields: { subject },
  });
  return withSpanIn(context, template, (span) => send(span?.traceparent ?? headers.traceparent));
}
