import type { OperatorInput, OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { Database } from '@rubrica/database';
import type { Clock } from '@rubrica/process';
import { decodeCursor, toPage } from '@rubrica/wiring/database';
import { toOperatorsRow } from './certificate-view.ts';
import { certificates } from './certificates.repository.ts';

/** One page, newest certificate first. */
export async function searchCertificates(
  { database, clock }: { database: Pick<Database, 'fork'>; clock: Clock },
  { cursor, limit, serialNumber, requestId }: OperatorInput<'certificates.search'>,
): Promise<OperatorOutput<'certificates.search'>> {
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
}
