import { exchangeFindings } from './parts/procedures.ts';
import type { CallRow, OperatorRow, Snapshot } from './snapshot/snapshot.ts';

interface CallEntry {
  readonly answers: string;
  readonly callers: readonly string[];
  readonly row: CallRow | OperatorRow;
}

/**
 * Finds the services that must be rolled out first. Callers of the new release rely on something that the previous
 * release of the answering service lacks: a new call, or a field that it does not read or send. It is not a fault,
 * since the answering copies can go first.
 *
 * @returns the names of the calls by `<answers> before <caller>`
 */
export function rolloutOrder(before: Snapshot, after: Snapshot): Map<string, string[]> {
  const [old, now] = [listCalls(before), listCalls(after)];
  const order = new Map<string, string[]>();
  for (const [name, { answers, callers, row }] of now) {
    if (isAnswered(old.get(name)?.row, row)) continue;
    for (const caller of callers.filter((one) => one !== answers)) {
      const pair = `${answers} before ${caller}`;
      order.set(pair, [...(order.get(pair) ?? []), name]);
    }
  }
  return order;
}

/** Checks if the previous release answers a caller of the new one. */
function isAnswered(old: CallEntry['row'] | undefined, now: CallEntry['row']): boolean {
  return old !== undefined && exchangeFindings('', now, old).length === 0;
}

function listCalls({ calls, operators }: Snapshot): Map<string, CallEntry> {
  const between = Object.entries(calls).map(([name, row]): [string, CallEntry] => {
    const [answers = '', call = ''] = name.split('/');
    return [call, { answers, callers: row.callers, row }];
  });
  const operatorCalls = Object.entries(operators).map(([name, row]): [string, CallEntry] => [
    name,
    { answers: row.service, callers: row.service === 'gateway' ? ['console'] : ['gateway', 'console'], row },
  ]);
  return new Map([...between, ...operatorCalls]);
}
