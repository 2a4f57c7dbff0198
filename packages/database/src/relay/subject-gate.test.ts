import { expect, test } from 'vitest';
import { createSubjectGate, type GateRow } from './subject-gate.ts';

const row = (id: string, subject = 'jobs.a'): GateRow => ({ id, subject });

test('a failure closes its subject only, and a probe that passes opens it', () => {
  const gate = createSubjectGate();
  gate.failed(row('1'), 0);
  expect(gate.closedSubjects()).toEqual(['jobs.a']);
  expect(gate.dueProbes(0)).toEqual([]);
  expect(gate.dueProbes(50)).toEqual([{ subject: 'jobs.a', skip: 0 }]);
  gate.published(row('1'));
  expect(gate.closedSubjects()).toEqual([]);
});

test('one probe is under way at a time, and the pause between them doubles up to two seconds', () => {
  const gate = createSubjectGate();
  gate.failed(row('1'), 0);
  const pauses: number[] = [];
  let now = 0;
  for (let probe = 0; probe < 9; probe += 1) {
    const due = gate.nextDueAt(now);
    pauses.push(due - now);
    now = due;
    expect(gate.dueProbes(now)).toHaveLength(1);
    expect(gate.dueProbes(now)).toHaveLength(0);
    gate.failed(row('1'), now);
  }
  expect(pauses).toEqual([50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
});

test('late answers for rows sent before the subject closed do not shorten its pause', () => {
  const gate = createSubjectGate();
  gate.failed(row('1'), 0);
  gate.failed(row('2'), 10);
  gate.published(row('3'));
  expect(gate.closedSubjects()).toEqual(['jobs.a']);
  expect(gate.nextDueAt(10)).toBe(50);
});

/** Answers probes of a subject whose stored rows are given, until the gate has nothing due. */
function answerProbes(stored: string[], isGood: (id: string) => boolean) {
  const gate = createSubjectGate();
  const published: string[] = [];
  gate.failed(row(stored[0] ?? ''), 0);
  let now = 0;
  while (gate.closedSubjects().length > 0 && now < 60_000) {
    now = Math.max(now, gate.nextDueAt(now));
    for (const { subject, skip } of gate.dueProbes(now)) {
      const rows = stored.filter((id) => !published.includes(id) && !gate.heldBackRows(now).includes(id));
      const id = rows.slice(0, skip + 1).at(-1);
      if (id === undefined) gate.probeFoundNothing(subject);
      else if (isGood(id)) {
        published.push(id);
        gate.published(row(id));
      } else gate.failed(row(id), now);
    }
  }
  return { gate, published, now };
}

test('a row that fails where later ones pass is held back alone, and its subject opens', () => {
  const { gate, published, now } = answerProbes(['bad', 'good1', 'good2', 'good3'], (id) => id !== 'bad');
  expect(gate.closedSubjects()).toEqual([]);
  expect(gate.heldBackRows(now)).toEqual(['bad']);
  expect(published).toContain('good1');
});

test('several bad rows in front are each held back', () => {
  const bad = ['bad1', 'bad2', 'bad3'];
  const { gate, now } = answerProbes([...bad, 'good1', 'good2', 'good3'], (id) => !bad.includes(id));
  expect(gate.closedSubjects()).toEqual([]);
  expect(gate.heldBackRows(now).toSorted()).toEqual(bad);
});

test('a hundred bad rows in front are each held back', () => {
  const bad = Array.from({ length: 100 }, (_, index) => `bad${index}`);
  const { gate, published, now } = answerProbes([...bad, 'good1', 'good2'], (id) => !bad.includes(id));
  expect(gate.closedSubjects()).toEqual([]);
  expect(gate.heldBackRows(now)).toHaveLength(100);
  expect(published).not.toEqual([]);
});

test('when nothing passes no row is blamed', () => {
  const { gate, now } = answerProbes(['1', '2', '3'], () => false);
  expect(gate.closedSubjects()).toEqual(['jobs.a']);
  expect(gate.heldBackRows(now)).toEqual([]);
});

test('a held-back row that fails again waits longer and does not close its subject', () => {
  const { gate, now } = answerProbes(['bad', 'good1', 'good2', 'good3'], (id) => id !== 'bad');
  const firstHoldMs = gate.nextDueAt(now) - now;
  gate.failed(row('bad'), now + firstHoldMs);
  expect(gate.closedSubjects()).toEqual([]);
  expect(gate.nextDueAt(now + firstHoldMs) - (now + firstHoldMs)).toBe(2 * firstHoldMs);
});

test('a subject without unpublished rows opens', () => {
  const gate = createSubjectGate();
  gate.failed(row('1'), 0);
  gate.dueProbes(50);
  gate.probeFoundNothing('jobs.a');
  expect(gate.closedSubjects()).toEqual([]);
  expect(gate.nextDueAt(50)).toBe(Number.POSITIVE_INFINITY);
});

test('a probe that did not go out is due again', () => {
  const gate = createSubjectGate();
  gate.failed(row('1'), 0);
  expect(gate.dueProbes(50)).toHaveLength(1);
  expect(gate.dueProbes(60_000)).toEqual([]);
  gate.probeUnsent('jobs.a', 60_000);
  expect(gate.nextDueAt(60_000)).toBe(60_050);
  expect(gate.dueProbes(60_050)).toEqual([{ subject: 'jobs.a', skip: 0 }]);
});
