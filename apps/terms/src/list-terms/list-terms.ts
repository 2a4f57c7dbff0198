import type { Database } from '@rubrica/database/connection';
import type { OperatorUseCase } from '@rubrica/wiring';
import { toTermsRecord } from '../store/terms-record.ts';
import { byCreation, termsVersions } from '../store/terms-versions.repository.ts';
import { cutPage } from './cut-page.ts';

/** Leaves space for the rest of the answer below the limit of 1 MiB for a NATS message. */
const maxPageBytes = 600 * 1024;

type ListTerms = OperatorUseCase<'terms.list'>;

/** Lists one page, newest version first. */
export function createListTerms({ database }: { readonly database: Pick<Database, 'fork'> }): ListTerms {
  return async ({ type, cursor, limit }) => {
    const rows = await termsVersions(database.fork()).newestFirst({ type, cursor, limit: limit + 1 });
    const { items, hasMore } = cutPage(rows, { limit, maxBytes: maxPageBytes });
    const last = items.at(-1);
    return {
      items: items.map(toTermsRecord),
      nextCursor: hasMore && last !== undefined ? byCreation.writeCursor(last) : null,
    };
  };
}
