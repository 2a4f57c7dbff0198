import type { Outcome, Reader } from './readers/reader.ts';
import type { World } from './samples/make-samples.ts';

/** Outcomes of one reader for all samples. */
export interface Row {
  readonly reader: Pick<Reader, 'name' | 'does'>;
  readonly passed: number;
  readonly failed: readonly Outcome[];
  readonly cannot: readonly Outcome[];
  /** Reason why it was left out. */
  readonly missing: string | undefined;
}

/** Runs every reader on the samples of all these worlds. A reader that crashes counts as failed. */
export async function readAll(
  readers: readonly Reader[],
  { worlds, onRow = () => undefined }: { worlds: readonly World[]; onRow?: (row: Row) => void },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const reader of readers) {
    const missing = reader.missing();
    const outcomes: Outcome[] = [];
    if (missing === undefined)
      for (const world of worlds) outcomes.push(...(await collectOutcomes(() => reader.read(world))));
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

async function collectOutcomes(read: () => Promise<Outcome[]>): Promise<Outcome[]> {
  try {
    return await read();
  } catch (error) {
    return [{ sample: 'all', what: 'runs', fault: error instanceof Error ? error.message : String(error) }];
  }
}
