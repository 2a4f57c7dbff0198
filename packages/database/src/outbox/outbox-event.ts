import { currentContext } from '@rubrica/process/context';

/** Message that is published once the transaction that writes it has committed. */
export interface OutboxEvent {
  /** NATS subject, for example `jobs.certificate.issue`. */
  readonly subject: string;
  /** Becomes `Nats-Msg-Id`: the same id is the same message. Visible ASCII, at most 200 characters. */
  readonly id: string;
  /** Ids only, at most 4,096 bytes as JSON: the worker reads the rest from the database. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Headers in addition to, and before, those of the ambient context (`x-request-id`, `traceparent`). */
  readonly headers?: Readonly<Record<string, string>>;
}

const maxPayloadBytes = 4_096;

const subjectForm = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;
const idForm = /^[!-~]{1,200}$/;

/** The event could never be published; the transaction should not commit. */
export class InvalidOutboxEvent extends Error {
  override readonly name = 'InvalidOutboxEvent';
}

/** Content of a new outbox row. */
export interface NewOutboxRow {
  readonly message_id: string;
  readonly subject: string;
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Checks an event and creates its row.
 * @throws InvalidOutboxEvent
 */
export function outboxRow(event: OutboxEvent): NewOutboxRow {
  if (event.subject.length > 200 || !subjectForm.test(event.subject)) {
    throw new InvalidOutboxEvent(`not a subject: ${JSON.stringify(event.subject)}`);
  }
  if (!idForm.test(event.id)) throw new InvalidOutboxEvent(`not a message id: ${JSON.stringify(event.id)}`);
  const bytes = Buffer.byteLength(JSON.stringify(event.payload));
  if (bytes > maxPayloadBytes) {
    throw new InvalidOutboxEvent(
      `payload of ${event.subject} has ${bytes} bytes, more than ${maxPayloadBytes}`,
    );
  }
  const headers = { ...ambientHeaders(), ...event.headers };
  return { message_id: event.id, subject: event.subject, payload: event.payload, headers };
}

/** Parameters of a statement that emits. */
export interface OutboxParams {
  /** JSON: a list of `NewOutboxRow`. */
  readonly outboxRows: string;
}

/**
 * Checks events and creates the parameters for their rows.
 * @throws InvalidOutboxEvent
 */
export function outboxParams(...events: readonly OutboxEvent[]): OutboxParams {
  return { outboxRows: JSON.stringify(events.map(outboxRow)) };
}

/** Reads the headers that continue a trace and a request through the outbox into the worker. */
function ambientHeaders(): Record<string, string> {
  const context = currentContext();
  const headers: Record<string, string> = {};
  if (context?.requestId) headers['x-request-id'] = context.requestId;
  if (context?.traceparent) headers.traceparent = context.traceparent;
  return headers;
}
