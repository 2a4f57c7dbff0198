import { X509Certificate } from 'node:crypto';
import type { SqlRunner } from '@rubrica/database';
import type { AuthorityRecord } from './authority-file.ts';
import type { AuthorityChange } from './change-authorities.ts';

/** Writes down what a change of the authorities has made; nothing where nothing was changed. */
export type AuditAuthorities = (
  action: 'authorities.init' | 'authorities.rotate' | 'authorities.renew',
  change: AuthorityChange,
) => Promise<void>;

/**
 * Into the audit log: which revision, and names and serial numbers of the certificates that are new in it. A crash
 * between the two leaves a revision that the log does not tell of; files of revisions are never removed.
 * @param actor `ceremony`, or the program that changed them by itself
 */
export const auditAuthorities =
  (sql: SqlRunner, actor: string): AuditAuthorities =>
  async (action, { changed, file, before }) => {
    if (!changed || file === undefined) return;
    const { revision, authorities } = file;
    const detail = { target: 'authorities', revision, made: newIn(authorities, before) };
    const text = 'insert into audit_entry (action, actor, detail) values ($1, $2, $3)';
    await sql.execute(text, [action, actor, JSON.stringify(detail)]).catch((cause: Error) => {
      throw new Error(`revision ${revision} stands, but the audit log was not written: ${cause.message}`, {
        cause,
      });
    });
  };

/** By the names under which they are exported. */
function newIn(after: readonly AuthorityRecord[], before: readonly AuthorityRecord[]) {
  const known = new Set(before.flatMap(certificatesOf).map(([, certificate]) => certificate));
  return after
    .flatMap(certificatesOf)
    .filter(([, certificate]) => !known.has(certificate))
    .map(([name, certificate]) => ({
      name,
      serial: new X509Certificate(Buffer.from(certificate, 'base64')).serialNumber,
    }));
}

const certificatesOf = ({ name, certificate, responder }: AuthorityRecord): [string, string][] => [
  [name, certificate],
  ...(responder === null ? [] : [[`${name}-ocsp`, responder.certificate] satisfies [string, string]]),
];
