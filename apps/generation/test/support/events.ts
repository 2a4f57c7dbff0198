import { consume } from '@rubrica/bus';
import { consumers, type Message, messageSchemas } from '@rubrica/contracts/messages/messages';
import type { Peer } from './peers.ts';

export type CertificateEvent =
  | ({ subject: 'issued'; id: string } & Message<'events.certificate.issued'>)
  | ({ subject: 'failed'; id: string } & Message<'events.certificate.failed'>);

type StatusEvent = { subject: 'status'; id: string } & Message<'events.certificate.status'>;
type Heard = CertificateEvent | StatusEvent;

export interface EventLog extends AsyncDisposable {
  readonly events: readonly CertificateEvent[];
  /** How certificates stand, as it was told. */
  readonly statuses: readonly StatusEvent[];
  of(requestId: string): CertificateEvent[];
}

/** Hears what generation tells, as intake does. */
export function listenToEvents({ streams }: Peer): EventLog {
  const events: CertificateEvent[] = [];
  const statuses: StatusEvent[] = [];
  const consuming = consume<Omit<Heard, 'id'>>(streams, {
    ...consumers.certificateEvents,
    slots: 16,
    parse(json, { subject }) {
      if (subject.endsWith('status'))
        return { subject: 'status', ...messageSchemas['events.certificate.status'].parse(json) };
      return subject.endsWith('issued')
        ? { subject: 'issued', ...messageSchemas['events.certificate.issued'].parse(json) }
        : { subject: 'failed', ...messageSchemas['events.certificate.failed'].parse(json) };
    },
    handle({ id, body }) {
      const heard = { ...body, id } as Heard;
      if (heard.subject === 'status') statuses.push(heard);
      else events.push(heard);
      return { outcome: 'ack' };
    },
    onInvalid: (_, error) => {
      throw error;
    },
    onError: (error) => {
      throw error;
    },
  });
  return {
    events,
    statuses,
    of: (requestId) => events.filter((event) => event.requestId === requestId),
    [Symbol.asyncDispose]: () => consuming.stop(),
  };
}
