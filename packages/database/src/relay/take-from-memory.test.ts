import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EmittedRow } from '../outbox/emitted.ts';
import { relayWhileHeld } from './active-relay.ts';
import { createNudges } from './nudges.ts';
import { createPacer } from './pacer.ts';
import { defaultTuning, type Publish, type RelayTuning } from './relay-options.ts';
import type { OutboxRow } from './relay-sql.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const emitted = (id: string, subject = 'jobs.a'): EmittedRow => ({
  id,
  message_id: `m${id}`,
  subject,
  payload: {},
  headers: {},
});
const stored = (id: string): OutboxRow => ({ ...emitted(id), publish_count: 0, age_seconds: 0 });

const acknowledge: Publish = async () => ({ duplicate: false });
const neverAnswer: Publish = () => new Promise(() => {});

/** A relay that has read its empty table, and nothing happens afterwards by itself. */
async function readyRelay({ publish = acknowledge, tuning = {} as Partial<RelayTuning> } = {}) {
  const state = { isStopping: false, isLost: false };
  const statements: (string | undefined)[] = [];
  const published: string[] = [];
  const marked: unknown[] = [];
  const reads: (() => OutboxRow[])[] = [];
  const pacer = createPacer({ gapMs: 4 });
  const nudges = createNudges(pacer);
  const relaying = relayWhileHeld({
    session: {
      isLost: () => state.isLost,
      end: async () => {},
      async query<Row>({ name }: { name?: string }, params: readonly unknown[] = []) {
        statements.push(name);
        if (name !== 'readOldestOfSubject') marked.push(...(params[0] as unknown[]));
        return (name === 'markAndRead' ? (reads.shift()?.() ?? []) : []) as Row[];
      },
    },
    pacer,
    nudges,
    tuning: { ...defaultTuning, pollMs: 60_000, ...tuning },
    logger: quiet,
    isStopping: () => state.isStopping,
    publish: (message) => {
      published.push(message.id);
      return publish(message);
    },
  });
  await vi.advanceTimersByTimeAsync(5);
  statements.length = 0;
  return {
    state,
    statements,
    published,
    marked,
    reads,
    nudges,
    emit: (rows: EmittedRow[], sentAt = performance.now()) => nudges.add({ rows, sentAt }),
    async [Symbol.asyncDispose]() {
      state.isStopping = true;
      nudges.add();
      await vi.advanceTimersByTimeAsync(10_000);
      await relaying;
    },
  };
}

test('what this copy has committed is published at once, and marked by a turn that reads nothing', async () => {
  await using relay = await readyRelay();
  relay.emit([emitted('1'), emitted('2')]);
  expect(relay.published).toEqual(['m1', 'm2']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(relay.statements).toEqual(['mark']);
  expect(relay.marked).toEqual(['1', '2']);
});

test('the table is still read when the poll is due, however often rows are marked, and when a copy nudges', async () => {
  await using relay = await readyRelay({ tuning: { pollMs: 1_000 } });
  for (let round = 0; round < 10; round += 1) {
    relay.emit([emitted(String(round))]);
    await vi.advanceTimersByTimeAsync(90);
  }
  expect(relay.statements).toEqual(Array(10).fill('mark'));
  await vi.advanceTimersByTimeAsync(100);
  expect(relay.statements.slice(10)).toEqual(['markAndRead']);
  relay.nudges.add();
  await vi.advanceTimersByTimeAsync(5);
  expect(relay.statements.slice(10)).toEqual(['markAndRead', 'markAndRead']);
});

test('rows of a statement that was sent long ago are left to the table: this process may have been frozen', async () => {
  await using relay = await readyRelay();
  const sentAt = performance.now();
  vi.advanceTimersByTime(6_000);
  relay.emit([emitted('1')], sentAt);
  await vi.advanceTimersByTimeAsync(5);
  expect(relay.published).toEqual([]);
  expect(relay.statements).toEqual(['markAndRead']);
});

test('nothing is published from memory once the connection with the lock is lost', async () => {
  await using relay = await readyRelay();
  relay.state.isLost = true;
  relay.emit([emitted('1')]);
  expect(relay.published).toEqual([]);
});

test('no more are in flight than may be, and what waits in the table is not overtaken', async () => {
  const answers: (() => void)[] = [];
  const publish: Publish = () => new Promise((resolve) => answers.push(() => resolve({ duplicate: false })));
  await using relay = await readyRelay({ publish, tuning: { maxInFlight: 2 } });
  relay.emit([emitted('1')]);
  relay.emit([emitted('2')]);
  relay.emit([emitted('3')]);
  expect(relay.published).toEqual(['m1', 'm2']);
  answers.forEach((answer) => void answer());
  await Promise.resolve();
  relay.emit([emitted('4')]);
  expect(relay.published).toEqual(['m1', 'm2']);
  relay.reads.push(() => [stored('3'), stored('4')]);
  await vi.advanceTimersByTimeAsync(100);
  expect(relay.published).toEqual(['m1', 'm2', 'm3', 'm4']);
  answers.forEach((answer) => void answer());
});

test('a closed subject is not tried by new rows, while others go out', async () => {
  const publish: Publish = async ({ subject }) => {
    if (subject === 'jobs.full') throw new Error('stream is full');
    return { duplicate: false };
  };
  await using relay = await readyRelay({ publish });
  relay.emit([emitted('1', 'jobs.full')]);
  await Promise.resolve();
  relay.emit([emitted('2', 'jobs.full'), emitted('3')]);
  expect(relay.published).toEqual(['m1', 'm3']);
  await vi.advanceTimersByTimeAsync(5);
  expect(relay.statements).toEqual(['markAndRead']);
});

test('a row that is committed while the table is read goes out once', async () => {
  await using relay = await readyRelay({ publish: neverAnswer });
  relay.reads.push(() => {
    relay.emit([emitted('1')]);
    return [stored('1'), stored('2')];
  });
  relay.nudges.add();
  await vi.advanceTimersByTimeAsync(5);
  expect(relay.published).toEqual(['m1', 'm2']);
});

test('a row that was read before its statement had its answer goes out once', async () => {
  await using relay = await readyRelay({ publish: neverAnswer });
  relay.reads.push(() => [stored('1')]);
  relay.nudges.add();
  await vi.advanceTimersByTimeAsync(5);
  relay.emit([emitted('1'), emitted('2')]);
  expect(relay.published).toEqual(['m1', 'm2']);
});

test('before the table has been read through, rows wait behind those that are in it', async () => {
  await using relay = await readyRelay({ publish: neverAnswer, tuning: { maxInFlight: 3 } });
  relay.reads.push(() => [stored('1'), stored('2'), stored('3')]);
  relay.nudges.add();
  await vi.advanceTimersByTimeAsync(5);
  relay.emit([emitted('9')]);
  expect(relay.published).toEqual(['m1', 'm2', 'm3']);
});
