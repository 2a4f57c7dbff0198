import { crashpoint } from '@rubrica/process';
import { publishedMessageId } from '../outbox/published-message-id.ts';
import { createInFlight } from './in-flight.ts';
import type { Pacer } from './pacer.ts';
import type { RelayOptions, RelayTuning } from './relay-options.ts';
import type { RelaySession } from './relay-session.ts';
import { markAndRead, type OutboxRow, readBacklog, readOldestOfSubject } from './relay-sql.ts';
import { createSubjectGate } from './subject-gate.ts';

export interface ActiveRelayOptions extends Pick<RelayOptions, 'publish' | 'logger' | 'metrics'> {
  readonly session: RelaySession;
  readonly pacer: Pacer;
  readonly tuning: RelayTuning;
  readonly isStopping: () => boolean;
}

const drainWithinMs = 5_000;

/**
 * Publishes while the session lasts. Returns when asked to stop, after what is under way has been answered and
 * marked; throws when the session is lost. All state dies with it: the next session begins from the table.
 */
export async function relayWhileHeld(options: ActiveRelayOptions): Promise<void> {
  const { session, pacer, tuning, isStopping } = options;
  const work = createWork(options);
  while (!isStopping()) {
    const readAll = await work.takeTurn();
    if (!readAll) pacer.request(0);
    await work.reportBacklog();
    const untilDueMs = work.nextDueAt() - performance.now();
    await pacer.turn(Math.max(0, Math.min(tuning.pollMs, untilDueMs)));
  }
  const deadline = performance.now() + drainWithinMs;
  while (work.awaited() > 0 && performance.now() < deadline && !session.isLost()) await pacer.turn(50);
  await work.mark();
}

function createWork(options: ActiveRelayOptions) {
  const { session, tuning, metrics } = options;
  const gate = createSubjectGate();
  const inFlight = createInFlight();
  const send = createSender({ ...options, gate, inFlight });
  let backlogDueAt = 0;

  const takeAcknowledged = () => {
    const ids = inFlight.takeAcknowledged();
    // Dying here, the messages are stored but not marked: the next relay sends them under the same ids.
    if (ids.length > 0) crashpoint('relay-after-publish-before-mark');
    return ids;
  };
  const probe = async (now: number) => {
    for (const { subject, skip } of gate.dueProbes(now)) {
      const excluded = [...inFlight.awaitedIds(), ...gate.heldBackRows(now)];
      const rows = await session.query<OutboxRow>(readOldestOfSubject, [subject, excluded, skip + 1]);
      const row = rows.at(-1);
      if (row === undefined) gate.probeFoundNothing(subject);
      else send([row], now);
    }
  };
  return {
    awaited: () => inFlight.size,
    nextDueAt: () => gate.nextDueAt(performance.now()),
    /** Marks, reads and sends once. False when the table may hold more. */
    async takeTurn(): Promise<boolean> {
      const now = performance.now();
      send.giveUp(inFlight.expire(now - tuning.publishTimeoutMs));
      const marks = takeAcknowledged();
      const room = tuning.maxInFlight - inFlight.size;
      const excluded = [...marks, ...inFlight.awaitedIds(), ...gate.heldBackRows(now)];
      const closed = gate.closedSubjects();
      const rows = await session.query<OutboxRow>(markAndRead, [marks, excluded, closed, room]);
      send(rows, now);
      await probe(now);
      return room === 0 || rows.length < room;
    },
    async mark(): Promise<void> {
      await session.query(markAndRead, [takeAcknowledged(), [], [], 0]);
    },
    async reportBacklog(): Promise<void> {
      if (metrics === undefined || performance.now() < backlogDueAt) return;
      backlogDueAt = performance.now() + tuning.backlogEveryMs;
      const [backlog] = await session.query<{ rows: number; oldest_seconds: number }>(readBacklog);
      if (backlog) metrics.backlog({ rows: backlog.rows, oldestSeconds: backlog.oldest_seconds });
    },
  };
}

type SenderOptions = ActiveRelayOptions & {
  gate: ReturnType<typeof createSubjectGate>;
  inFlight: ReturnType<typeof createInFlight>;
};

/** What was read may have been published by another relay if this process froze in between: read it again. */
const readIsStaleAfterMs = 5_000;

function createSender(options: SenderOptions) {
  const { session, pacer, tuning, gate, inFlight, metrics, logger } = options;
  const failed = (row: OutboxRow, err: unknown) => {
    const wasOpen = !gate.closedSubjects().includes(row.subject);
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
    pacer.request(wasFull || gate.closedSubjects().includes(row.subject) ? 0 : tuning.markDelayMs);
  };
  const publish = async (row: OutboxRow) => {
    try {
      const { duplicate } = await options.publish({
        subject: row.subject,
        id: publishedMessageId(row.message_id, row.publish_count),
        data: row.payload,
        headers: row.headers,
      });
      acknowledged(row, duplicate);
    } catch (error) {
      if (inFlight.failed(row)) failed(row, error);
    }
  };
  const send = (rows: readonly OutboxRow[], readAt: number) => {
    for (const row of rows) {
      if (session.isLost() || performance.now() - readAt > readIsStaleAfterMs) return;
      inFlight.start(row, performance.now());
      // Not awaited: publishing is pipelined, in the order of the rows; each outcome is taken up above.
      void publish(row);
    }
  };
  const giveUp = (rows: readonly OutboxRow[]) => {
    for (const row of rows) failed(row, new Error(`no answer within ${tuning.publishTimeoutMs} ms`));
  };
  return Object.assign(send, { giveUp });
}
