import { formatLocalDateTime } from '@rubrica/process/time';

/** Content of a body where the partner's setting `envelope` is on. */
export interface EnvelopeInput {
  readonly type: string;
  readonly id: string;
  readonly occurredAt: Date;
  readonly data: object;
}

/** Builds the body that includes its type, id and time, so that they are signed. */
export function wrapWebhookBody({ type, id, occurredAt, data }: EnvelopeInput, timeZone: string): object {
  return { type, id, occurredAt: formatLocalDateTime(occurredAt, timeZone), data };
}
