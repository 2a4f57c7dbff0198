import { X509Certificate } from 'node:crypto';
import type { Database } from '@rubrica/database/connection';
import type { EntryMac } from '@rubrica/database/entries';
import { statement } from '@rubrica/database/statement';
import type { AuthorityRecord } from './authority-file.ts';
import type { AuthorityChange } from './change-authorities.ts';

/** Records the result of a change of the authorities; does nothing without a change. */
export type AuditAuthorities = (
  action: 'authorities.init' | 'authorities.rotate' | 'authorities.renew' | 'authorities.crl',
  change: AuthorityChange,
) => Promise<void>;

const record = statement<Record<'action' | 'actor' | 'detail', string> & EntryMac>({
  name: 'audit-authorities',
  sql: `insert into audit_entry (action, actor, detail, entry_id, mac)
    values (:action, :actor, :detail, :entryId, :entryMac)`,
});

/**
 * Writes the revision to the audit log, with names and serial numbers of its new certificates. A crash in between
 * leaves a revision without an entry; files of revisions are never removed.
 * @param actor `ceremony`, or the program that made the change
 */
export function auditAuthorities(
  target: Pick<Database, 'statement' | 'entries'>,
  actor: string,
): AuditAuthorities {
  return async (action, { changed, file, before }) => {
    if (!changed || file === undefined) return;
    const { revision, authorities } = file;
    const detail = JSON.stringify({
      target: 'authorities',
      revision,
      made: findNewCertificates(authorities, before),
    });
    const entry = { action, actor, detail };
    await record.run(target, { ...entry, ...target.entries.protect(entry) }).catch((cause: Error) => {
      throw new Error(`revision ${revision} stands, but the audit log was not written: ${cause.message}`, {
        cause,
      });
    });
  };
}

/** Lists the new certificates by their export names. */
function findNewCertificates(after: readonly AuthorityRecord[], before: readonly AuthorityRecord[]) {
  const known = new Set(before.flatMap(listCertificates).map(([, certificate]) => certificate));
  return after
    .flatMap(listCertificates)
    .filter(([, certificate]) => !known.has(certificate))
    .map(([name, certificate]) => ({
      name,
      serial: new X509Certificate(Buffer.from(certificate, 'base64')).serialNumber,
    }));
}

function listCertificates({ name, certificate, responder }: AuthorityRecord): [string, string][] {
  return [
    [name, certificate],
    ...(responder === null ? [] : [[`${name}-ocsp`, responder.certificate] satisfies [string, string]]),
  ];
}
