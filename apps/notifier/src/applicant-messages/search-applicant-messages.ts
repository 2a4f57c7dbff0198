import type { Database } from '@rubrica/database';
import type { OperatorUseCase } from '@rubrica/wiring';
import { readPage } from '../store/page.ts';
import { type MessageRow, messageColumns } from '../store/rows.ts';

/** One page, newest first. */
export function createSearchApplicantMessages({
  database,
}: {
  readonly database: Pick<Database, 'execute'>;
}): OperatorUseCase<'messages.search'> {
  return ({ cursor, limit, state, requestId }) =>
    readPage<MessageRow>(database, {
      table: 'message',
      columns: messageColumns,
      filters: { state, request_id: requestId },
      cursor,
      limit,
    });
}
