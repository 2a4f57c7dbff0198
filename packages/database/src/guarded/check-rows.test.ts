import { expect, it } from 'vitest';
import { checkRows } from './check-rows.ts';
import { guardedSqlTable } from './guarded-table.ts';

const tables = [guardedSqlTable('large', ['email']), guardedSqlTable('other', ['email'])];
const keys = { mac: () => 'k.m', isMac: () => false, isPresentMac: () => true };

function check(error: Error) {
  const alarms: string[] = [];
  const report = ({ table, id }: { table: string; id: string }) => void alarms.push(`${table} ${id}`);
  const checked = checkRows({
    database: {
      async execute<Row>(text: string) {
        if (text.includes('from large')) throw error;
        return [{ row: { id: '1', version: 1, mac: 'x' } }] as Row[];
      },
    },
    guard: {
      reportFailed: report,
      isIntact(table, row) {
        report({ table, id: String(row.id) });
        return false;
      },
    },
    keys,
    tables,
  });
  return { checked, alarms };
}

it('a table that cannot be read raises its alarm, and the others are looked at', async () => {
  const { checked, alarms } = check(Object.assign(new Error('string too long'), { code: '54000' }));
  await expect(checked).rejects.toThrow(AggregateError);
  expect(alarms).toEqual(['large unreadable', 'other 1']);
});

it('a database that is away raises none', async () => {
  const { checked, alarms } = check(Object.assign(new Error('gone'), { code: '57P01' }));
  await expect(checked).rejects.toThrow('gone');
  expect(alarms).toEqual([]);
});
