import type { Database } from '@rubrica/database/connection';
import { createKeyset } from '@rubrica/database/keyset';
import type { Clock } from '@rubrica/process/time';
import { assertOperator } from '@rubrica/process/trpc';
import type { OperatorUseCase } from '@rubrica/wiring';
import { Certificate } from './certificate.entity.ts';
import { toOperatorsRow } from './certificate-view.ts';
import { withProvenStatus } from './certificates.repository.ts';
import { findCertificates, firstPagePosition } from './find-certificates.ts';
import { hasSubjectFilter, matchesSubject, type ReadSigned } from './read-signed.ts';
import type { StatusProof } from './status-proof.ts';

export interface SearchCertificatesDeps {
  readonly database: Pick<Database, 'fork' | 'statement'>;
  readonly proof: Pick<StatusProof, 'prove'>;
  readonly readSigned: ReadSigned;
  readonly clock: Clock;
}

type SearchCertificates = OperatorUseCase<'certificates.search'>;

const byIssuance = createKeyset('issuedAt');

/**
 * Returns one page, newest certificate first, or the result of one scan for a name.
 * @throws AppError FORBIDDEN for a viewer who searches by identification number
 */
export function createSearchCertificates({
  database,
  clock,
  proof,
  readSigned,
}: SearchCertificatesDeps): SearchCertificates {
  return async ({ cursor, limit, ...filters }, { caller }) => {
    // A viewer, who sees masked numbers, could find a number by trying all of them.
    if (filters.identificationNumber !== undefined) assertOperator(caller, 'reviewer');
    const after = cursor === undefined ? undefined : byIssuance.readCursor(cursor);
    const position = after === undefined ? firstPagePosition : { belowAt: after.issuedAt, belowId: after.id };
    const now = clock();
    const found = await findCertificates(database, filters, { ...position, limit: limit + 1, now });
    const ids = found.rows.map(({ id }) => id);
    const rows = await database.fork().find(Certificate, { id: ids }, { orderBy: byIssuance.orderBy });
    // A certificate that nothing proves stays in the list with the status of its row; the alarm names it.
    await withProvenStatus(rows, { proof });
    const signed = await readSigned(rows.slice(0, limit));
    const page = byIssuance.page(rows, limit, (row) => row, found.reached);
    // The cursor follows the rows that were read, so that a false hit hides nothing after it.
    const items = page.items.filter(
      ({ id }) => !hasSubjectFilter(filters) || matchesSubject(signed.get(id), filters),
    );
    return { ...page, items: items.map((row) => toOperatorsRow(row, signed.get(row.id), now)) };
  };
}
