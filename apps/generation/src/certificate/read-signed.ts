import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { toSearchTerms } from '@rubrica/database/search';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { formatName, parseCertificate } from '@rubrica/pki';
import type { Certificate } from './certificate.entity.ts';
import { type Certifier, readIssued } from './issued-certificate.ts';
import { extractSearchTerms, formatNumberTerm } from './search-terms.ts';
import { certificateTable } from './status-record.ts';

/** Subject and validity of a certificate, from the file that our authority signed. */
export interface SignedCertificate {
  readonly der: Uint8Array;
  readonly subject: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly words: ReturnType<typeof extractSearchTerms>;
}

/**
 * Reads the signed files of certificates, by id. A row that differs from its file raises an alarm. A certificate
 * without a file signed here is left out, with an alarm unless a restore forgot it.
 * @param target transaction that holds the rows
 */
export type ReadSigned = (
  found: readonly Certificate[],
  target?: StatementTarget,
) => Promise<ReadonlyMap<string, SignedCertificate>>;

export interface ReadSignedDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly rows: Pick<RowGuard, 'reportFailed'>;
  /** Read again at each use: authorities are added while the service runs. */
  readonly issuers: { readonly all: readonly Certifier[] };
}

const findFiles = statement<{ ids: readonly string[] }, { id: string; der: Buffer }>({
  name: 'signed-certificates',
  sql: 'select id, der from certificate where id = any(:ids::uuid[])',
});

/** Creates the reader. Operators decide by the displayed names, and the columns of the row have no MAC. */
export function createReadSigned({ database, rows, issuers }: ReadSignedDeps): ReadSigned {
  return async (found, target = database) => {
    const ids = found.map(({ id }) => id);
    const files = ids.length === 0 ? [] : await findFiles.run(target, { ids });
    const byId = new Map(files.map(({ id, der }) => [id, der]));
    const signed = new Map<string, SignedCertificate>();
    for (const certificate of found) {
      const der = byId.get(certificate.id) ?? Buffer.alloc(0);
      const file = read(der, certificate.serial, issuers.all);
      if (file !== undefined) signed.set(certificate.id, file);
      if (file === undefined ? !isForgotten(certificate, der) : !matchesRow(file, certificate))
        rows.reportFailed({ table: certificateTable.name, id: certificate.id });
    }
    return signed;
  };
}

/** Parses a file; undefined unless it is our certificate with that serial number. */
function read(der: Uint8Array, serial: string, issuers: readonly Certifier[]): SignedCertificate | undefined {
  if (readIssued(der, issuers)?.serial !== serial) return undefined;
  const parsed = parseCertificate(der);
  if (!parsed.ok) return undefined;
  const { subject, notBefore, notAfter } = parsed.value;
  return {
    der,
    subject: formatName(subject),
    notBefore: notBefore.date,
    notAfter: notAfter.date,
    words: extractSearchTerms(subject.attributes.map(({ type = '', value }) => ({ type, value }))),
  };
}

/** Recognises a certificate that was lost in a restore: it has only its row, which is revoked. */
function isForgotten({ revokedAt }: Certificate, der: Uint8Array): boolean {
  return der.length === 0 && revokedAt !== null;
}

function matchesRow({ subject, notBefore }: SignedCertificate, row: Certificate): boolean {
  return row.subject === subject && row.notBefore.getTime() === notBefore.getTime();
}

/** Subject filter of a search. */
export interface SubjectFilter {
  readonly name?: string | undefined;
  readonly identificationNumber?: string | undefined;
}

export function hasSubjectFilter({ name, identificationNumber }: SubjectFilter): boolean {
  return name !== undefined || identificationNumber !== undefined;
}

/** Returns whether a certificate matches the subject filter, by the rules of the search index. */
export function matchesSubject(
  signed: SignedCertificate | undefined,
  { name, identificationNumber }: SubjectFilter,
): boolean {
  if (signed === undefined) return false;
  const { searchTerms, searchName } = signed.words;
  return (
    toSearchTerms(name ?? '').every((word) => searchName.includes(` ${word}`)) &&
    (identificationNumber === undefined || searchTerms.includes(formatNumberTerm(identificationNumber)))
  );
}
