import { consume } from '@rubrica/bus';
import { consumers, type Message, messageSchemas } from '@rubrica/contracts/messages/messages';
import type { Peer } from './peers.ts';

export type CertificateEvent =
  | ({ subject: 'issued'; id: string } & Message<'events.certificate.issued'>)
  | ({ subject: 'failed'; id: string } & Message<'events.certificate.failed'>);

export interface EventLog {
  readonly events: readonly CertificateEvent[];
  of(requestId: string): CertificateEvent[];
  stop(): Promise<void>;
}

/** Hears what generation tells, as intake does. */
export function listenToEvents({ streams }: Peer): EventLog {
  const events: CertificateEvent[] = [];
  const consuming = consume<Omit<CertificateEvent, 'id'>>(streams, {
    ...consumers.certificateEvents,
    slots: 16,
    parse: (json, { subject }) =>
      subject.endsWith('issued')
        ? { subject: 'issued', ...messageSchemas['events.certificate.issued'].parse(json) }
        : { subject: 'failed', ...messageSchemas['events.certificate.failed'].parse(json) },
    handle({ id, body }) {
      events.push({ ...body, id } as CertificateEvent);
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
    of: (requestId) => events.filter((event) => event.requestId === requestId),
    stop: consuming.stop,
  };
}
