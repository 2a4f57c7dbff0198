import { crashpoint } from '@rubrica/process/crashpoint';
import type { OwnSession } from '../connection/own-session.ts';
import type { Emitted } from '../outbox/emitted.ts';
import { createInFlight } from './in-flight.ts';
import type { Nudges } from './nudges.ts';
import type { Pacer } from './pacer.ts';
import type { RelayOptions, RelayTuning } from './relay-options.ts';
import { mark, markAndRead, type OutboxRow, readBacklog, readOldestOfSubject } from './relay-sql.ts';
import { createSender, type SenderOptions } from './sender.ts';
import { createSubjectGate } from './subject-gate.ts';

export interface ActiveRelayOptions extends Pick<RelayOptions, 'publish' | 'logger' | 'metrics'> {
  readonly session: OwnSession;
  readonly pacer: Pacer;
  readonly nudges: Nudges;
  readonly tuning: RelayTuning;
  readonly isStopping: () => boolean;
}

const drainWithinMs = 5_000;

/**
 * Publishes while the session lasts. Returns when asked to stop, after messages in flight were answered and marked;
 * throws when the session is lost. The state ends with the session: the next one starts from the table.
 */
export async function relayWhileHeld(options: ActiveRelayOptions): Promise<void> {
  const { session, pacer, nudges, isStopping } = options;
  const work = createWork(options);
  const reportBacklog = createBacklogReport(options);
  using _taking = nudges.handTo(work.takeFromMemory);
  while (!isStopping()) {
    const hasReadAll = await work.takeTurn();
    if (!hasReadAll) pacer.request(0);
    await reportBacklog();
    await pacer.turn(Math.max(0, work.nextDueAt() - performance.now()));
  }
  const deadline = performance.now() + drainWithinMs;
  while (work.awaited() > 0 && performance.now() < deadline && !session.isLost()) await pacer.turn(50);
  await work.mark();
}

function createWork(options: ActiveRelayOptions) {
  const { nudges, tuning } = options;
  const gate = createSubjectGate();
  const inFlight = createInFlight();
  const context = { ...options, gate, inFlight, sender: createSender({ ...options, gate, inFlight }) };
  const { sender } = context;
  const table = createTable(context);
  let readDueAt = Number.NEGATIVE_INFINITY;
  /** The table has no row for an open subject that is not in flight. */
  let hasReadAll = false;
  /** Nor any row that a closed subject or the row's own fault kept from being read. */
  let knowsAll = false;

  return {
    awaited: () => inFlight.size,
    nextDueAt: () => Math.min(readDueAt, gate.nextDueAt(performance.now())),
    mark: table.mark,
    /**
     * Marks and, unless there is certainly nothing to read, reads and sends once. Returns false if the table may hold
     * more.
     */
    async takeTurn(): Promise<boolean> {
      const now = performance.now();
      sender.giveUp(inFlight.expire(now - tuning.publishTimeoutMs));
      const isClear = gate.isClear();
      if (!nudges.take() && knowsAll && isClear && now < readDueAt) {
        await table.mark();
        return true;
      }
      readDueAt = now + tuning.pollMs;
      hasReadAll = await table.markAndSend(now);
      knowsAll = hasReadAll && isClear;
      await table.probe(now);
      return hasReadAll;
    },
    /**
     * Sends rows that this copy has just committed, without reading them back. Returns false if the table must be read
     * for them.
     */
    takeFromMemory({ rows, sentAt }: Emitted): boolean {
      // A read may have found them before their statement had its answer.
      const unsent = rows.filter(({ id }) => !inFlight.has(id));
      // Never before rows that wait in the table, which would wait endlessly under load.
      hasReadAll &&= inFlight.size + unsent.length <= tuning.maxInFlight;
      if (!hasReadAll) return false;
      const age_seconds = (performance.now() - sentAt) / 1_000;
      const open = unsent.filter(({ subject }) => gate.isOpen(subject));
      const areSent = sender.send(
        open.map((row) => ({ ...row, publish_count: 0, age_seconds })),
        sentAt,
      );
      return areSent && open.length === unsent.length;
    },
  };
}

type TableOptions = Omit<SenderOptions, 'pacer'> & { readonly sender: ReturnType<typeof createSender> };

function createTable({ session, tuning, gate, inFlight, sender }: TableOptions) {
  const takeAcknowledged = () => {
    const ids = inFlight.takeAcknowledged();
    // After a crash here the messages are stored but not marked: the next relay sends them under the same ids.
    if (ids.length > 0) crashpoint('relay-after-publish-before-mark');
    return ids;
  };
  const freeSlots = () => tuning.maxInFlight - inFlight.size;
  return {
    async mark(): Promise<void> {
      const ids = takeAcknowledged();
      if (ids.length > 0) await session.query(mark, [ids]);
    },
    /** Marks, reads and sends. Returns false if the table may hold more. */
    async markAndSend(now: number): Promise<boolean> {
      const marks = takeAcknowledged();
      const limit = freeSlots();
      const excluded = [...marks, ...inFlight.awaitedIds(), ...gate.heldBackRows(now)];
      const closed = gate.closedSubjects();
      const read = await session.query<OutboxRow>(markAndRead, [marks, excluded, closed, limit]);
      // Meanwhile some may have been committed and sent from memory.
      const rows = read.filter(({ id }) => !inFlight.has(id));
      const sendable = rows.slice(0, freeSlots());
      const areSent = sender.send(sendable, now);
      return areSent && sendable.length === rows.length && read.length < limit;
    },
    async probe(now: number): Promise<void> {
      for (const { subject, skip } of gate.dueProbes(now)) {
        const excluded = [...inFlight.awaitedIds(), ...gate.heldBackRows(now)];
        // Not the start of the run: its former steps may have taken long.
        const knownAt = performance.now();
        const rows = await session.query<OutboxRow>(readOldestOfSubject, [subject, excluded, skip + 1]);
        const row = rows.at(-1);
        if (row === undefined) gate.probeFoundNothing(subject);
        else if (!sender.send([row], knownAt)) gate.probeUnsent(subject, performance.now());
      }
    },
  };
}

function createBacklogReport({ session, tuning, metrics }: ActiveRelayOptions): () => Promise<void> {
  let dueAt = 0;
  return async () => {
    if (metrics === undefined || performance.now() < dueAt) return;
    dueAt = performance.now() + tuning.backlogEveryMs;
    const [backlog] = await session.query<{ rows: number; oldest_seconds: number }>(readBacklog);
    if (backlog) metrics.backlog({ rows: backlog.rows, oldestSeconds: backlog.oldest_seconds });
  };
}
