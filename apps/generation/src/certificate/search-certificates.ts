import { type Database, keyset, readPage } from '@rubrica/database';
import type { Clock } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import { Certificate } from './certificate.entity.ts';
import { toOperatorsRow } from './certificate-view.ts';

export interface SearchCertificatesDeps {
  readonly database: Pick<Database, 'fork'>;
  readonly clock: Clock;
}

type SearchCertificates = OperatorUseCase<'certificates.search'>;

const byIssuance = keyset('issuedAt');

/** One page, newest certificate first. */
export function createSearchCertificates({ database, clock }: SearchCertificatesDeps): SearchCertificates {
  return ({ cursor, limit, serialNumber, requestId }) => {
    const now = clock();
    return readPage(database.fork(), [Certificate, (row) => toOperatorsRow(row, now)], {
      keyset: byIssuance,
      filters: { serial: serialNumber?.toUpperCase(), requestId },
      cursor,
      limit,
    });
  };
}
