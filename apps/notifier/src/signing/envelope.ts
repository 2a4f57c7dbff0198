import { formatLocalDateTime } from '@rubrica/process';

/** What a body says of itself where the partner's setting `envelope` is on. */
export interface Enveloped {
  readonly type: string;
  readonly id: string;
  readonly occurredAt: Date;
  readonly data: object;
}

/** The body whose type, id and time are signed with it. */
export function envelope({ type, id, occurredAt, data }: Enveloped, timeZone: string): object {
  return { type, id, occurredAt: formatLocalDateTime(occurredAt, timeZone), data };
}
