import type { Database } from '@rubrica/database';
import type { Clock } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import { decodeCursor, toPage } from '@rubrica/wiring/database';
import { toOperatorsRow } from './certificate-view.ts';
import { certificates } from './certificates.repository.ts';

export interface SearchCertificatesDeps {
  readonly database: Pick<Database, 'fork'>;
  readonly clock: Clock;
}

type SearchCertificates = OperatorUseCase<'certificates.search'>;

/** One page, newest certificate first. */
export function createSearchCertificates({ database, clock }: SearchCertificatesDeps): SearchCertificates {
  return async ({ cursor, limit, serialNumber, requestId }) => {
    const position = cursor === undefined ? undefined : decodeCursor(cursor);
    const rows = await certificates(database.fork()).newestFirst({
      serial: serialNumber?.toUpperCase(),
      requestId,
      after: position && { issuedAt: position.createdAt, id: position.id },
      limit: limit + 1,
    });
    const now = clock();
    const placed = rows.map((row) => ({ row, id: row.id, createdAt: row.issuedAt }));
    return toPage(placed, limit, ({ row }) => toOperatorsRow(row, now));
  };
}
