import type { Database } from '@rubrica/database';
import type { EvidenceStore } from '@rubrica/evidence-store';
import { countNamed, countStored, type StoreCount } from './change-store-sql.ts';

const idsAtOnce = 1_000;
/** The store's clock may be before ours. */
const anyAge = { olderThanMs: -60_000 };

export interface StoreComparison extends StoreCount {
  /** Of the objects that rows name, those that the store does not list. */
  readonly missing: number;
}

/**
 * Counts what rows name and looks for each of it in the store's own list. Rows first: what they name was there before
 * them. One erased meanwhile counts as missing, and does no more when this is asked again.
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
  const look = async () => {
    const [named] = await countNamed.run(database, { store: store.name, ids });
    found += named?.objects ?? 0;
    ids = [];
  };
  for await (const { id } of store.list(anyAge)) {
    ids.push(id);
    if (ids.length === idsAtOnce) await look();
  }
  await look();
  return { ...counted, missing: Math.max(0, counted.objects - found) };
}

export function comparisonLine({ files, objects, bytes, missing }: StoreComparison, store: string): string {
  return `${files} files name ${objects} objects in ${store}, ${bytes} bytes; ${missing} are not there\n`;
}
