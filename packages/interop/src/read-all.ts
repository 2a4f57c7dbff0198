import type { Outcome, Reader } from './readers/reader.ts';
import { type Choice, choices } from './samples/choices.ts';
import { makeSamples } from './samples/make-samples.ts';

/** What one reader made of all samples. */
export interface Row {
  readonly reader: Pick<Reader, 'name' | 'does'>;
  readonly passed: number;
  readonly failed: readonly Outcome[];
  readonly cannot: readonly Outcome[];
  /** Why it was left out. */
  readonly missing: string | undefined;
}

/** Lets every reader read samples made anew. A reader that breaks down has failed. */
export async function readAll(
  readers: readonly Reader[],
  {
    directory,
    wanted = choices,
    onRow = () => undefined,
  }: { directory: string; wanted?: readonly Choice[]; onRow?: (row: Row) => void },
): Promise<Row[]> {
  const world = await makeSamples(directory, wanted);
  const rows: Row[] = [];
  for (const reader of readers) {
    const missing = reader.missing();
    const outcomes = missing === undefined ? await outcomesOf(() => reader.read(world)) : [];
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
