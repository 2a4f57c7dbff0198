import type { Bus } from '../connection/connect-bus.ts';
import { request } from '../jetstream/acked-publish.ts';
import { askApi } from '../jetstream/api.ts';
import { JetStreamError } from '../jetstream/jetstream-error.ts';

export interface StoredMessage {
  readonly data: Uint8Array;
  readonly storedAt: Date;
}

const timeoutMs = 5_000;

/** Reads the message of a subject from the stream's leader, which knows every acknowledged one. */
export async function fromLeader(
  bus: Bus,
  stream: string,
  chunk: string,
): Promise<StoredMessage | undefined> {
  const subject = `${bus.apiPrefix}.STREAM.MSG.GET.${stream}`;
  const answer = await askApi<{ message?: { time: string; data?: string } }>(bus, subject, {
    last_by_subj: chunk,
  });
  if (answer === undefined) return undefined;
  if (answer.message === undefined) {
    throw new JetStreamError({ code: 'refused', stored: 'no', subject, message: 'no message in the answer' });
  }
  const { time, data = '' } = answer.message;
  return { data: Buffer.from(data, 'base64'), storedAt: new Date(time) };
}

export interface MessageName {
  readonly sequence: number;
  readonly subject: string;
}

/** Finds the first message from a sequence on. No narrower filter matches subjects that contain `>` themselves. */
export async function nextMessage(bus: Bus, stream: string, from: number): Promise<MessageName | undefined> {
  const subject = `${bus.apiPrefix}.STREAM.MSG.GET.${stream}`;
  const query = { seq: from, next_by_subj: '>' };
  const answer = await askApi<{ message?: { seq: number; subject: string } }>(bus, subject, query);
  const found = answer?.message;
  return found && { sequence: found.seq, subject: found.subject };
}

/**
 * Lists every subject of the stream's messages: no narrower filter matches subjects that contain wildcards themselves.
 */
export async function listSubjects(bus: Bus, stream: string): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const query = { subjects_filter: '>', offset: found.length };
    const page = await askApi<SubjectsPage>(bus, `${bus.apiPrefix}.STREAM.INFO.${stream}`, query);
    const subjects = Object.keys(page?.state.subjects ?? {});
    for (const subject of subjects) found.push(subject);
    if (subjects.length === 0 || found.length >= (page?.total ?? 0)) return found;
  }
}

interface SubjectsPage {
  readonly total?: number;
  readonly state: { readonly subjects?: Readonly<Record<string, number>> };
}

/**
 * Reads the message of a subject from any replica, which answers with the bytes unchanged. A replica may lag behind, so
 * a message it does not find is requested from the leader.
 */
export async function fromAnyReplica(
  bus: Bus,
  stream: string,
  chunk: string,
): Promise<Uint8Array | undefined> {
  const subject = `${bus.apiPrefix}.DIRECT.GET.${stream}`;
  const data = Buffer.from(JSON.stringify({ last_by_subj: chunk }));
  const reply = await request(bus, { subject, data, timeoutMs });
  if (reply.headers?.get('Nats-Sequence')) return reply.data;
  return (await fromLeader(bus, stream, chunk))?.data;
}
