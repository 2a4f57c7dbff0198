import { currentContext } from '@rubrica/process';

/** A message to be published once the transaction that writes it has committed. */
export interface OutboxEvent {
  /** NATS subject, such as `jobs.certificate.issue`. */
  readonly subject: string;
  /** Becomes `Nats-Msg-Id`: the same id is the same message. Visible ASCII, at most 200 characters. */
  readonly id: string;
  /** Ids only, at most 4,096 bytes as JSON: whoever works on it reads the rest from the ledger. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Over those of the ambient context (`x-request-id`, `traceparent`). */
  readonly headers?: Readonly<Record<string, string>>;
}

const maxPayloadBytes = 4_096;

const subjectForm = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;
const idForm = /^[!-~]{1,200}$/;

/** Thrown for an event that could never be published; the transaction should not commit. */
export class InvalidOutboxEvent extends Error {
  override readonly name = 'InvalidOutboxEvent';
}

/** The values of an outbox row: message id, subject, payload JSON, headers JSON. */
export type OutboxValues = readonly [messageId: string, subject: string, payload: string, headers: string];

/** Checks an event and gives the values for its row, in the order that `outboxInsert` takes them. */
export function outboxValues(event: OutboxEvent): OutboxValues {
  if (event.subject.length > 200 || !subjectForm.test(event.subject)) {
    throw new InvalidOutboxEvent(`not a subject: ${JSON.stringify(event.subject)}`);
  }
  if (!idForm.test(event.id)) throw new InvalidOutboxEvent(`not a message id: ${JSON.stringify(event.id)}`);
  const payload = JSON.stringify(event.payload);
  const bytes = Buffer.byteLength(payload);
  if (bytes > maxPayloadBytes) {
    throw new InvalidOutboxEvent(
      `payload of ${event.subject} has ${bytes} bytes, more than ${maxPayloadBytes}`,
    );
  }
  return [event.id, event.subject, payload, JSON.stringify({ ...ambientHeaders(), ...event.headers })];
}

/** The same, by the names that `outboxInsert` gives them in a statement with named parameters. */
export interface OutboxParams {
  readonly messageId: string;
  readonly subject: string;
  readonly payload: string;
  readonly headers: string;
}

export function outboxParams(event: OutboxEvent): OutboxParams {
  const [messageId, subject, payload, headers] = outboxValues(event);
  return { messageId, subject, payload, headers };
}

/** Lets a trace and a request be followed through the outbox into the worker. */
function ambientHeaders(): Record<string, string> {
  const context = currentContext();
  const headers: Record<string, string> = {};
  if (context?.requestId) headers['x-request-id'] = context.requestId;
  if (context?.traceparent) headers.traceparent = context.traceparent;
  return headers;
}
