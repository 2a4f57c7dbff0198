import type { Database } from '@rubrica/database/connection';
import { readPage } from '@rubrica/database/keyset';
import type { OperatorUseCase } from '@rubrica/wiring';
import { ApplicantMessageEntity, toMessageRow } from '../store/applicant-message.entity.ts';
import { findById } from '../store/schema.ts';

/** Returns one page, newest first. */
export function createSearchApplicantMessages({
  database,
}: {
  readonly database: Pick<Database, 'fork'>;
}): OperatorUseCase<'messages.search'> {
  return ({ cursor, limit, ...filters }) =>
    readPage(database.fork(), [ApplicantMessageEntity, toMessageRow], {
      keyset: findById,
      filters,
      cursor,
      limit,
    });
}
