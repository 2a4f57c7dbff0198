import { exchangeFindings } from './parts/procedures.ts';
import type { CallRow, OperatorRow, Snapshot } from './snapshot/snapshot.ts';

interface Asked {
  readonly answers: string;
  readonly callers: readonly string[];
  readonly row: CallRow | OperatorRow;
}

/**
 * Which service goes first in a roll: callers of the release after rely on what those who answer by the release before do
 * not have, a call that is new or a field that they do not read or say. No fault, since copies that answer can go first.
 *
 * @returns by `<answers> before <caller>`, the names of the calls
 */
export function rolloutOrder(before: Snapshot, after: Snapshot): Map<string, string[]> {
  const [old, now] = [asked(before), asked(after)];
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

/** Callers of the release after, and who answers by the one before. */
function isAnswered(old: Asked['row'] | undefined, now: Asked['row']): boolean {
  return old !== undefined && exchangeFindings('', now, old).length === 0;
}

function asked({ calls, operators }: Snapshot): Map<string, Asked> {
  const between = Object.entries(calls).map(([name, row]): [string, Asked] => {
    const [answers = '', call = ''] = name.split('/');
    return [call, { answers, callers: row.callers, row }];
  });
  const ofOperators = Object.entries(operators).map(([name, row]): [string, Asked] => [
    name,
    { answers: row.service, callers: row.service === 'gateway' ? ['console'] : ['gateway', 'console'], row },
  ]);
  return new Map([...between, ...ofOperators]);
}
