import type { StackInfo } from '@rubrica/stack';
import { residentMegabytes } from '../memory.ts';
import type { Section } from '../record/figures.ts';
import type { Row } from '../table.ts';

const aimMegabytes = 110;

export async function measureMemory(info: StackInfo): Promise<Section> {
  const rows: Row[] = [];
  let most = 0;
  for (const [service, { pid }] of Object.entries(info.services)) {
    const megabytes = await residentMegabytes(pid);
    most = Math.max(most, megabytes);
    const note = rows.length === 0 ? { note: `aim ≤ ${aimMegabytes} MB each` } : {};
    rows.push({ what: service, value: `${megabytes.toFixed(0)} MB`, ...note });
  }
  return { rows, figures: [{ key: 'memory', value: `${most.toFixed(0)} MB`, ratio: aimMegabytes / most }] };
}
