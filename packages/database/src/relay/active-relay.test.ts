import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { relayWhileHeld } from './active-relay.ts';
import { createNudges } from './nudges.ts';
import { createPacer } from './pacer.ts';
import { defaultTuning } from './relay-options.ts';
import { markAndRead, type OutboxRow, readOldestOfSubject } from './relay-sql.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const row: OutboxRow = {
  id: '1',
  message_id: 'm1',
  subject: 'jobs.a',
  payload: {},
  headers: {},
  publish_count: 0,
  age_seconds: 0,
};
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Runs one turn whose read does `duringRead` before its rows arrive; gives what was published. */
async function oneTurn(duringRead: (session: { lost: boolean }) => void): Promise<string[]> {
  const published: string[] = [];
  const state = { lost: false };
  let reads = 0;
  const session = {
    isLost: () => state.lost,
    end: async () => {},
    async query<Row>() {
      reads += 1;
      if (reads > 1) return [];
      duringRead(state);
      return [row] as Row[];
    },
  };
  const pacer = createPacer({ gapMs: 0 });
  const relaying = relayWhileHeld({
    session,
    pacer,
    nudges: createNudges(pacer),
    tuning: defaultTuning,
    logger: quiet,
    isStopping: () => reads > 0,
    publish: async ({ id }) => {
      published.push(id);
      return { duplicate: false };
    },
  });
  await vi.advanceTimersByTimeAsync(60_000);
  await relaying;
  return published;
}

test('what was read is published', async () => {
  expect(await oneTurn(() => {})).toEqual(['m1']);
});

test('when the connection ends in the same moment as the rows arrive, none of them is published', async () => {
  expect(
    await oneTurn((session) => {
      session.lost = true;
    }),
  ).toEqual([]);
});

test('rows that arrive after the process was frozen for a while are not published but read again', async () => {
  expect(await oneTurn(() => void vi.advanceTimersByTime(6_000))).toEqual([]);
});

test('a subject whose probe came too late is probed again, and opens', async () => {
  const published: string[] = [];
  let tries = 0;
  let probes = 0;
  const session = {
    isLost: () => false,
    end: async () => {},
    async query<Row>(text: unknown) {
      if (text === markAndRead && tries === 0) return [row] as Row[];
      if (text !== readOldestOfSubject) return [];
      probes += 1;
      // The process is frozen while the first probe is read.
      if (probes === 1) vi.advanceTimersByTime(6_000);
      return [row] as Row[];
    },
  };
  const pacer = createPacer({ gapMs: 0 });
  const relaying = relayWhileHeld({
    session,
    pacer,
    nudges: createNudges(pacer),
    tuning: defaultTuning,
    logger: quiet,
    isStopping: () => published.length > 0,
    publish: async ({ id }) => {
      tries += 1;
      if (tries === 1) throw new Error('The bus is not connected');
      published.push(id);
      return { duplicate: false };
    },
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(published).toEqual(['m1']);
  await relaying;
});
