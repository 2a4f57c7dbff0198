import type { CallRow, OperatorRow, Snapshot } from '../snapshot/snapshot.ts';
import { compareFacts, compareLists, compareRows, type Finding, schemaFindings } from './finding.ts';

/** Compares calls: the next release must understand a caller of the last one, and the caller its answers. */
export function compareCalls(before: Snapshot['calls'], after: Snapshot['calls']): Finding[] {
  return compareRows(before, after, (old, now, name) => [
    ...compareFacts({ before: old, after: now, name }, ['kind', 'actsFor']),
    ...compareLists({ before: old.callers, after: now.callers, name }, 'caller'),
    // Callers of the last release repeat a call if its row allowed it.
    ...(old.repeat === null ? [] : compareFacts({ before: old, after: now, name }, ['repeat'])),
    ...mixedFindings(name, old, now),
  ]);
}

/** Compares operators' procedures as calls; other parties' dashboards call these. */
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

/**
 * Compares answers in both directions: callers of the next release may be rolled out before the services that answer
 * them, or after.
 */
function mixedFindings(name: string, old: CallRow | OperatorRow, now: CallRow | OperatorRow): Finding[] {
  const early = { before: old.output, after: now.output, direction: 'request' } as const;
  return [...new Set([...exchangeFindings(name, old, now), ...schemaFindings(`${name} output`, early)])];
}

/** Compares an exchange for its caller and for the service that answers. */
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
