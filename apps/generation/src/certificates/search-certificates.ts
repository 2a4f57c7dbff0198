import type { OperatorInput, OperatorOutput } from '@rubrica/contracts';
import type { Database } from '@rubrica/database';
import { AppError, type Clock } from '@rubrica/service';
import { certificates } from '../store/certificates.repository.ts';
import { toOperatorsRow } from './certificate-view.ts';
import { readCursor, writeCursor } from './cursor.ts';

/** One page, newest certificate first. */
export async function searchCertificates(
  { database, clock }: { database: Pick<Database, 'fork'>; clock: Clock },
  { cursor, limit, serialNumber, requestId }: OperatorInput<'certificates.search'>,
): Promise<OperatorOutput<'certificates.search'>> {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  if (cursor !== undefined && after === undefined) throw unknownCursor();
  const serial = serialNumber?.toUpperCase();
  const rows = await certificates(database.fork()).newestFirst({
    serial,
    requestId,
    after,
    limit: limit + 1,
  });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const now = clock();
  return {
    items: items.map((row) => toOperatorsRow(row, now)),
    nextCursor: rows.length > limit && last !== undefined ? writeCursor(last) : null,
  };
}

function unknownCursor(): AppError {
  const message = 'cursor is not one that an earlier page gave';
  return new AppError({
    code: 'FIELD_INVALID',
    publicMessage: message,
    details: [{ code: 'FIELD_INVALID', field: 'cursor', message, correctable: true, retryable: false }],
  });
}
