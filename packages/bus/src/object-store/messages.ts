import type { Bus } from '../connection/connect-bus.ts';
import { request } from '../jetstream/acked-publish.ts';
import { askApi } from '../jetstream/api.ts';
import { JetStreamError } from '../jetstream/jetstream-error.ts';

export interface StoredMessage {
  readonly sequence: number;
  readonly data: Uint8Array;
}

/** Which message of a stream: the last of a subject, or the first at or after a sequence. */
export type Query =
  | { readonly last_by_subj: string }
  | { readonly seq: number; readonly next_by_subj: string };

const timeoutMs = 5_000;

/** Asks the stream's leader, which knows every acknowledged message. */
export async function fromLeader(bus: Bus, stream: string, query: Query): Promise<StoredMessage | undefined> {
  const subject = `$JS.API.STREAM.MSG.GET.${stream}`;
  const answer = await askApi<{ message?: { seq: number; data?: string } }>(bus, subject, query);
  if (answer === undefined) return undefined;
  if (answer.message === undefined) {
    throw new JetStreamError({ code: 'refused', stored: 'no', subject, message: 'no message in the answer' });
  }
  return { sequence: answer.message.seq, data: Buffer.from(answer.message.data ?? '', 'base64') };
}

/** Every subject of the stream's messages that matches `filter`. */
export async function subjectsOf(bus: Bus, stream: string, filter: string): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const query = { subjects_filter: filter, offset: found.length };
    const page = await askApi<SubjectsPage>(bus, `$JS.API.STREAM.INFO.${stream}`, query);
    const subjects = Object.keys(page?.state.subjects ?? {});
    found.push(...subjects);
    if (subjects.length === 0 || found.length >= (page?.total ?? 0)) return found;
  }
}

interface SubjectsPage {
  readonly total?: number;
  readonly state: { readonly subjects?: Readonly<Record<string, number>> };
}

/**
 * Asks any replica, which answers with the bytes as they are. A replica may lag behind, so what it does not
 * find is asked of the leader.
 */
export async function fromAnyReplica(
  bus: Bus,
  stream: string,
  query: Query,
): Promise<StoredMessage | undefined> {
  const subject = `$JS.API.DIRECT.GET.${stream}`;
  const reply = await request(bus, { subject, data: Buffer.from(JSON.stringify(query)), timeoutMs });
  const sequence = Number(reply.headers?.get('Nats-Sequence') || Number.NaN);
  if (Number.isNaN(sequence)) return fromLeader(bus, stream, query);
  return { sequence, data: reply.data };
}
