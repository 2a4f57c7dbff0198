import type { OperatorInput, OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { Database } from '@rubrica/database';
import { decodeCursor, encodeCursor } from '@rubrica/wiring/database';
import { toTermsRecord } from '../store/terms-record.ts';
import { termsVersions } from '../store/terms-versions.repository.ts';
import { cutPage } from './cut-page.ts';

/** Room for the rest of the answer under the 1 MiB that a NATS message may have. */
const maxPageBytes = 600 * 1024;

/** One page, newest version first. */
export async function listTerms(
  { database }: { database: Pick<Database, 'fork'> },
  { type, cursor, limit }: OperatorInput<'terms.list'>,
): Promise<OperatorOutput<'terms.list'>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const rows = await termsVersions(database.fork()).newestFirst({ type, after, limit: limit + 1 });
  const { items, hasMore } = cutPage(rows, { limit, maxBytes: maxPageBytes });
  const last = items.at(-1);
  return {
    items: items.map(toTermsRecord),
    nextCursor: hasMore && last !== undefined ? encodeCursor(last) : null,
  };
}
