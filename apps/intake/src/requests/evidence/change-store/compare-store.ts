import type { Database } from '@rubrica/database/connection';
import type { EvidenceStore } from '@rubrica/evidence-store';
import { countNamed, countStored, type StoreCount } from './change-store-sql.ts';

const idsAtOnce = 1_000;
/** Age limit that admits all objects, because the store's clock may be ahead of ours. */
const anyAge = { olderThanMs: -60_000 };

export interface StoreComparison extends StoreCount {
  /** Number of objects that rows name and the store does not list. */
  readonly missing: number;
}

/**
 * Counts the objects that rows name, and looks for each of them in the store's own list. Rows are read first:
 * the objects that they name existed before them. An object that is erased in between counts as missing; it
 * no longer does when the comparison is repeated.
 */
export async function compareStore(
  database: Pick<Database, 'statement'>,
  store: Pick<EvidenceStore, 'name' | 'list'>,
): Promise<StoreComparison> {
  const [counted = { files: 0, objects: 0, bytes: 0 }] = await countStored.run(database, {
    store: store.name,
  });
  let found = 0;
  let ids: string[] = [];
  const countBatch = async () => {
    const [named] = await countNamed.run(database, { store: store.name, ids });
    found += named?.objects ?? 0;
    ids = [];
  };
  for await (const { id } of store.list(anyAge)) {
    ids.push(id);
    if (ids.length === idsAtOnce) await countBatch();
  }
  await countBatch();
  return { ...counted, missing: Math.max(0, counted.objects - found) };
}

export function formatComparison({ files, objects, bytes, missing }: StoreComparison, store: string): string {
  return `${files} files name ${objects} objects in ${store}, ${bytes} bytes; ${missing} are not there\n`;
}
