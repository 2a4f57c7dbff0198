import type { Outcome, Reader } from './readers/reader.ts';
import type { World } from './samples/make-samples.ts';

/** What one reader made of all samples. */
export interface Row {
  readonly reader: Pick<Reader, 'name' | 'does'>;
  readonly passed: number;
  readonly failed: readonly Outcome[];
  readonly cannot: readonly Outcome[];
  /** Why it was left out. */
  readonly missing: string | undefined;
}

/** Lets every reader read the samples of all these worlds. A reader that breaks down has failed. */
export async function readAll(
  readers: readonly Reader[],
  { worlds, onRow = () => undefined }: { worlds: readonly World[]; onRow?: (row: Row) => void },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const reader of readers) {
    const missing = reader.missing();
    const outcomes: Outcome[] = [];
    if (missing === undefined)
      for (const world of worlds) outcomes.push(...(await outcomesOf(() => reader.read(world))));
    const row = {
      reader,
      missing,
      passed: outcomes.filter(({ fault, cannot }) => !fault && !cannot).length,
      failed: outcomes.filter(({ fault }) => fault),
      cannot: outcomes.filter(({ fault, cannot }) => !fault && cannot),
    };
    rows.push(row);
    onRow(row);
  }
  return rows;
}

async function outcomesOf(read: () => Promise<Outcome[]>): Promise<Outcome[]> {
  try {
    return await read();
  } catch (error) {
    return [{ sample: 'all', what: 'runs', fault: error instanceof Error ? error.message : String(error) }];
  }
}
