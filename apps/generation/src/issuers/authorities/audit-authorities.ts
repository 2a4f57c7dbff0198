import { X509Certificate } from 'node:crypto';
import { type Database, type EntryMac, statement } from '@rubrica/database';
import type { AuthorityRecord } from './authority-file.ts';
import type { AuthorityChange } from './change-authorities.ts';

/** Writes down what a change of the authorities has made; nothing where nothing was changed. */
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
 * Into the audit log: which revision, and names and serial numbers of the certificates that are new in it. A crash
 * between the two leaves a revision that the log does not tell of; files of revisions are never removed.
 * @param actor `ceremony`, or the program that changed them by itself
 */
export function auditAuthorities(
  target: Pick<Database, 'statement' | 'entries'>,
  actor: string,
): AuditAuthorities {
  return async (action, { changed, file, before }) => {
    if (!changed || file === undefined) return;
    const { revision, authorities } = file;
    const detail = JSON.stringify({ target: 'authorities', revision, made: newIn(authorities, before) });
    const entry = { action, actor, detail };
    await record.run(target, { ...entry, ...target.entries.protect(entry) }).catch((cause: Error) => {
      throw new Error(`revision ${revision} stands, but the audit log was not written: ${cause.message}`, {
        cause,
      });
    });
  };
}

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

function certificatesOf({ name, certificate, responder }: AuthorityRecord): [string, string][] {
  return [
    [name, certificate],
    ...(responder === null ? [] : [[`${name}-ocsp`, responder.certificate] satisfies [string, string]]),
  ];
}
