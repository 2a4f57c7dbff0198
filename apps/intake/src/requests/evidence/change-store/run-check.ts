import { evidenceStores } from '@rubrica/contracts/services/schemas/evidence';
import type { Database } from '@rubrica/database/connection';
import type { EvidenceStores } from '@rubrica/evidence-store';
import { countStored } from './change-store-sql.ts';
import { compareStore, formatComparison } from './compare-store.ts';

interface CheckDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly stores: Pick<EvidenceStores, 'all'>;
  readonly say: (text: string) => void;
}

/** Compares rows with the list of each store. @returns exit code */
export async function runCheck({ database, stores, say }: CheckDeps): Promise<0 | 1> {
  let isAllThere = true;
  for (const name of evidenceStores) {
    const store = stores.all.find((candidate) => candidate.name === name);
    const [{ files = 0 } = {}] = store === undefined ? await countStored.run(database, { store: name }) : [];
    if (files > 0) say(`${files} files name objects in ${name}, which has no settings\n`);
    const comparison = store && (await compareStore(database, store));
    if (comparison !== undefined) say(formatComparison(comparison, name));
    isAllThere &&= files === 0 && (comparison?.missing ?? 0) === 0;
  }
  return isAllThere ? 0 : 1;
}
