import { expect } from 'vitest';
import { countCertificates } from '../../e2e/support/ledger.ts';
import { until } from '../../e2e/support/poll.ts';
import type { OwnScene } from '../../e2e/support/scene.ts';
import { keepInFlight } from '../../e2e/support/traffic.ts';
import { say, sayTable } from './say.ts';

export interface Fault {
  readonly what: string;
  /** Causes the fault and repairs it. */
  readonly happens: () => Promise<void>;
}

interface Seen {
  readonly what: string;
  readonly inFlight: number;
  readonly gapMs: number;
  readonly resumedMs: number;
}

export const gapWithinMs = 30_000;

/**
 * Causes faults one after the other during continuous registrations. It fails if an accepted request has no
 * certificate, two, or another number of events than one. It also fails if work stopped for longer than `gapWithinMs`
 * after the end of a fault. Prints the observations.
 */
export async function drillUnderLoad(
  scene: OwnScene,
  { inFlight, faults }: { inFlight: number; faults: readonly Fault[] },
): Promise<void> {
  const { stack, partners } = scene;
  const { sandbox } = partners;
  const traffic = keepInFlight(sandbox, inFlight);
  const issued = () => new Set(eventsBy(scene).keys());
  const seen: Seen[] = [];
  for (const { what, happens } of faults) {
    await traffic.advance(inFlight);
    const done = issued();
    const waiting = traffic.accepted.filter(({ reference }) => !done.has(reference));
    say(`${what}, with ${waiting.length} in flight`);
    await happens();
    const overAt = performance.now();
    const before = traffic.issued();
    const since = () => performance.now() - overAt;
    await until('a certificate after the fault', () => traffic.issued() > before || undefined, {
      deadlineMs: 180_000,
    });
    const gapMs = since();
    await until(
      'the certificates of all that were in flight',
      () => waiting.every(({ reference }) => issued().has(reference)) || undefined,
      { deadlineMs: 180_000 },
    );
    seen.push({ what, inFlight: waiting.length, gapMs, resumedMs: since() });
    say(
      `the next certificate after ${seconds(gapMs)}, the last that was in flight after ${seconds(since())}`,
    );
  }
  await traffic.advance(inFlight);
  await traffic.finish();
  const certificates = await countCertificates(stack);
  const lost = traffic.accepted.filter(({ requestId }) => !certificates.has(requestId));
  const doubled = traffic.accepted.filter(({ requestId }) => (certificates.get(requestId) ?? 0) > 1);
  const events = eventsBy(scene);
  const odd = traffic.accepted.filter(({ reference }) => events.get(reference)?.size !== 1);
  sayTable([
    ['fault', 'in flight', 'next certificate', 'all in flight'],
    ...seen.map((row) => [row.what, row.inFlight, seconds(row.gapMs), seconds(row.resumedMs)]),
  ]);
  say(`${traffic.accepted.length} accepted: ${lost.length} lost, ${doubled.length} doubled`);
  expect({ lost, doubled, odd }).toEqual({ lost: [], doubled: [], odd: [] });
  expect(seen.filter(({ gapMs }) => gapMs > gapWithinMs)).toEqual([]);
}

/** Groups the ids of certificates' events by reference. */
function eventsBy({ partners }: OwnScene): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { id, type, body } of partners.sandbox.allEvents()) {
    if (type !== 'certificate.issued') continue;
    const reference = String(body.referenceTransaction);
    found.set(reference, (found.get(reference) ?? new Set()).add(id));
  }
  return found;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
