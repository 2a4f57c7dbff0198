import type { StackInfo } from '@rubrica/stack';
import { residentMegabytes } from '../memory.ts';
import type { Row } from '../table.ts';

export async function measureMemory(info: StackInfo): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [service, { pid }] of Object.entries(info.services)) {
    rows.push({ what: service, value: `${(await residentMegabytes(pid)).toFixed(0)} MB` });
  }
  return rows.map((row, index) => (index === 0 ? { ...row, note: 'aim ≤ 110 MB each' } : row));
}
