import { createHash } from 'node:crypto';
import { canonicalValue } from '@rubrica/contracts/shared/canonical-value';
import { DAY_MS, HOUR_MS } from '@rubrica/contracts/shared/durations';
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

it.each([
  ['an object', { companyRuc: '1790000000001', a: 1 }],
  ['a list', ['b', 'a']],
  ['an empty object', {}],
])('%s has another MAC than the text of its canonical form', (_, value) => {
  const guard = createRowGuard({ keys, tables: [table], onFailed: () => {}, nowMs: () => 0 });
  const row = { id, value };
  const intact = { ...row, ...guard.protect('secret', row) };
  expect(guard.isIntact('secret', intact)).toBe(true);
  expect(guard.isIntact('secret', { ...intact, value: canonicalValue(value) })).toBe(false);
  const text = { id, value: canonicalValue(value) };
  const ofText = { ...text, ...guard.protect('secret', text) };
  expect([guard.isIntact('secret', ofText), guard.isIntact('secret', { ...ofText, value })]).toEqual([
    true,
    false,
  ]);
});

it('an object has the MAC that the release before gave it', () => {
  const guard = createRowGuard({ keys, tables: [table], onFailed: () => {}, nowMs: () => 0 });
  const data = `rubrica-row secret id version value ${JSON.stringify([id, 1, '{"a":1,"b":2}'])}`;
  expect(guard.protect('secret', { id, value: { b: 2, a: 1 } }).mac).toBe(mac(data));
});

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

it('a row that fails again raises the alarm again, once an hour', () => {
  let now = 0;
  const { guard, alarms, look } = guardAt(() => now);
  for (const value of ['wrong', 'wrong', 'right', 'wrong', 'right', 'wrong']) look(value);
  expect(alarms).toHaveLength(1);
  now = HOUR_MS;
  for (const value of ['wrong', 'right', 'wrong']) look(value);
  expect(alarms).toHaveLength(2);
  expect(guard.failed()).toHaveLength(1);
});
