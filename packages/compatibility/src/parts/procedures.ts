import type { CallRow, OperatorRow, Snapshot } from '../snapshot/snapshot.ts';
import { compareFacts, compareLists, compareRows, type Finding, schemaFindings } from './finding.ts';

/** Whoever calls as the last release did is understood, and understands what it is answered. */
export function compareCalls(before: Snapshot['calls'], after: Snapshot['calls']): Finding[] {
  return compareRows(before, after, (old, now, name) => [
    ...compareFacts({ before: old, after: now, name }, ['kind', 'actsFor']),
    ...compareLists({ before: old.callers, after: now.callers, name }, 'caller'),
    // Callers of the last release make a call again where their row allowed it.
    ...(old.repeat === null ? [] : compareFacts({ before: old, after: now, name }, ['repeat'])),
    ...mixedFindings(name, old, now),
  ]);
}

/** As for calls; dashboards of others call these. */
export function compareOperators(before: Snapshot['operators'], after: Snapshot['operators']): Finding[] {
  return compareRows(before, after, (old, now, name) => [
    ...compareFacts({ before: old, after: now, name }, [
      'kind',
      'service',
      'servedBy',
      'role',
      'opens',
      'seals',
    ]),
    ...compareLists({ before: old.sessions, after: now.sessions, name }, 'session'),
    ...mixedFindings(name, old, now),
  ]);
}

/** Both ways of an answer: callers of the next release are rolled before those who answer them, or after. */
function mixedFindings(name: string, old: CallRow | OperatorRow, now: CallRow | OperatorRow): Finding[] {
  const early = { before: old.output, after: now.output, direction: 'request' } as const;
  return [...new Set([...exchangeFindings(name, old, now), ...schemaFindings(`${name} output`, early)])];
}

/** As the exchange was, by who calls and by who answers. */
export function exchangeFindings(
  name: string,
  old: CallRow | OperatorRow,
  now: CallRow | OperatorRow,
): Finding[] {
  return [
    ...schemaFindings(`${name} input`, { before: old.input, after: now.input, direction: 'request' }),
    ...schemaFindings(`${name} output`, { before: old.output, after: now.output, direction: 'answer' }),
  ];
}
