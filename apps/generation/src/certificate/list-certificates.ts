import type { Database } from '@rubrica/database/connection';
import { createKeyset } from '@rubrica/database/keyset';
import { statement } from '@rubrica/database/statement';
import type { Clock } from '@rubrica/process/time';
import type { UseCase } from '@rubrica/wiring';
import { Certificate } from './certificate.entity.ts';
import { toCertificateState } from './certificate-view.ts';
import { withProvenStatus } from './certificates.repository.ts';
import {
  belowPositionSql,
  type FilterParams,
  type FoundCertificateId,
  filterSql,
  firstPagePosition,
  newestFirstSql,
  type Page,
  type PageRange,
  pageByLifetimeSql,
  revokedOnlySql,
  selectPageName,
  toFilterParams,
} from './find-certificates.ts';
import type { StatusProof } from './status-proof.ts';

export interface ListCertificatesDeps {
  readonly database: Pick<Database, 'fork' | 'statement'>;
  readonly proof: Pick<StatusProof, 'prove'>;
  readonly clock: Clock;
}

const byIssuance = createKeyset('issuedAt');

// Every query names the partner, so that another partner's certificate looks like none.
const isOwn = 'partner_id = :partnerId';

const pages = {
  newest: (limit) =>
    `select id, issued_at from certificate where ${isOwn} and ${belowPositionSql} ${newestFirstSql} limit ${limit}`,
  ofAny: pageByLifetimeSql(`and ${isOwn}`),
  ofRevoked: pageByLifetimeSql(`and ${isOwn} ${revokedOnlySql}`),
} as const satisfies Record<string, Page>;

type Own = PageRange & FilterParams & { readonly partnerId: string };

function createPageStatement(name: keyof typeof pages) {
  return statement<Own, FoundCertificateId>({
    name: `own-certificates-${name}`,
    sql: `select id from (${pages[name](':limit')}) as page ${newestFirstSql}`,
  });
}
const statements = {
  newest: createPageStatement('newest'),
  ofAny: createPageStatement('ofAny'),
  ofRevoked: createPageStatement('ofRevoked'),
} as const;

const bySerial = statement<Own, FoundCertificateId>({
  name: 'own-certificate-by-serial',
  sql: `select id from certificate where serial = :serial and ${isOwn} and ${filterSql} and ${belowPositionSql} ${newestFirstSql} limit :limit`,
});

/** Lists the certificates of the calling partner, newest first. @throws AppError FIELD_INVALID for an unknown cursor */
export function createListCertificates({
  database,
  clock,
  proof,
}: ListCertificatesDeps): UseCase<'generation', 'certificates.list'> {
  return async ({ cursor, limit, ...filters }, { caller: { partnerId } }) => {
    const after = cursor === undefined ? undefined : byIssuance.readCursor(cursor);
    const position = after === undefined ? firstPagePosition : { belowAt: after.issuedAt, belowId: after.id };
    const now = clock();
    const meant = toFilterParams(filters, now);
    const find = meant.serial === null ? statements[selectPageName(meant)] : bySerial;
    const found = await find.run(database, { ...position, ...meant, partnerId, limit: limit + 1 });
    const own = { id: found.map(({ id }) => id), partnerId };
    const rows = await database.fork().find(Certificate, own, { orderBy: byIssuance.orderBy });
    const { nextCursor } = byIssuance.page(rows, limit, ({ id }) => id);
    // A certificate that nothing proves is left out; the alarm names it.
    const proven = await withProvenStatus(rows.slice(0, limit), { proof });
    const items = proven.map((row) => {
      const { version: _version, ...state } = toCertificateState(row, now);
      return { requestId: row.requestId, ...state };
    });
    return { items, nextCursor };
  };
}
