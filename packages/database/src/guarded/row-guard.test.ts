import { createHash } from 'node:crypto';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { expect, it } from 'vitest';
import { guardedSqlTable } from './guarded-table.ts';
import { createRowGuard, type FailedRow } from './row-guard.ts';

const mac = (data: string) => createHash('sha256').update(data).digest('hex');
const keys = { mac, isMac: (data: string, made: string) => mac(data) === made, isPresentMac: () => true };
const table = guardedSqlTable('secret', ['value']);
const id = '01900000-0000-7000-8000-000000000001';

function guardAt(nowMs: () => number) {
  const alarms: FailedRow[] = [];
  const guard = createRowGuard({ keys, tables: [table], onFailed: (row) => alarms.push(row), nowMs });
  const row = { id, value: 'right' };
  const intact = { ...row, ...guard.protect('secret', row) };
  const look = (value: string) => guard.isIntact('secret', { ...intact, value });
  return { guard, alarms, look };
}

it('a row that failed stays listed for a day after it is intact again', () => {
  let now = 0;
  const { guard, alarms, look } = guardAt(() => now);
  expect([look('wrong'), look('right')]).toEqual([false, true]);
  expect(guard.failed()).toEqual([{ table: 'secret', id }]);
  now = DAY_MS;
  expect([look('right'), guard.failed().length]).toEqual([true, 1]);
  now = DAY_MS + 1;
  expect(guard.failed()).toEqual([]);
  expect(alarms).toHaveLength(1);
});

it('a row that still fails stays listed longer', () => {
  let now = 0;
  const { guard, alarms, look } = guardAt(() => now);
  look('wrong');
  now = 2 * DAY_MS;
  expect(guard.failed()).toHaveLength(1);
  expect([look('wrong'), alarms.length]).toEqual([false, 1]);
});

it('a row that fails again raises the alarm again', () => {
  const { guard, alarms, look } = guardAt(() => 0);
  for (const value of ['wrong', 'wrong', 'right', 'wrong']) look(value);
  expect(alarms).toHaveLength(2);
  expect(guard.failed()).toHaveLength(1);
});
