import type { KeyObject } from 'node:crypto';
import { createDatabase, createEntryGuard } from '@rubrica/database';
import { createLogger, loadKeyring } from '@rubrica/process';
import { auditLog } from '../audit-log.ts';
import type { CeremonyConfig } from '../config.ts';
import { type AuditAuthorities, auditAuthorities } from '../issuers/authorities/audit-authorities.ts';
import type { AuthorityFile, AuthorityRecord } from '../issuers/authorities/authority-file.ts';
import { parsedCertificate, publicKeyOf } from '../issuers/authorities/certify.ts';
import type { AuthorityChoices } from '../issuers/authorities/make-authority.ts';
import type { SigningAuthority } from '../issuers/authorities/make-responder.ts';
import { type OpenKeys, openKeys } from '../issuers/open-keys.ts';
import { schema } from '../store/schema.ts';

/** What every step of a ceremony works with. */
export interface Ceremony {
  readonly config: CeremonyConfig;
  readonly keys: OpenKeys;
  /** Does nothing where no database is at hand. */
  readonly audit: AuditAuthorities;
  readonly now: Date;
  readonly line: (text?: string) => void;
}

/** The command was called wrongly: shown without a stack trace. */
export class UsageError extends Error {}

/** Something is not as the step needs it; nothing was changed. */
export class CeremonyError extends Error {}

/** Runs a step with the keys at hand, and lets go of them. */
export async function withKeys<T>(config: CeremonyConfig, step: (keys: OpenKeys) => Promise<T>): Promise<T> {
  const { token, issuer, keyLabel } = config.authority;
  const keyring = await loadKeyring(config.keys, 'generation');
  const keys = openKeys({ token, making: { issuer, keyLabel } }, keyring);
  try {
    return await step(keys);
  } finally {
    await keys.close();
  }
}

/**
 * Runs a step with the audit log at hand, or without one where no database is named.
 * @throws CeremonyError when the log that is named is out of reach, before anything is changed
 */
export async function withAudit<T>(
  { config: { database, keys }, line }: Pick<Ceremony, 'config' | 'line'>,
  step: (audit: AuditAuthorities) => Promise<T>,
): Promise<T> {
  const { url } = database;
  if (url === undefined) {
    line('  Without DATABASE_URL: the audit log will not tell of this.');
    return step(async () => undefined);
  }
  const logger = createLogger({ service: 'generation-ca', level: 'silent', format: 'json' });
  const keyring = await loadKeyring(keys, 'generation');
  const entries = createEntryGuard({ table: auditLog.table, keys: keyring });
  await using sql = createDatabase({ url, schema, entities: [], entries, logger, poolSize: 1 });
  await sql.execute('select from audit_entry limit 0').catch((cause: Error) => {
    throw new CeremonyError(`The audit log is out of reach, nothing was changed: ${cause.message}`, {
      cause,
    });
  });
  return await step(auditAuthorities(sql, 'ceremony'));
}

export function choicesOf({
  config,
  keys,
  now,
}: Pick<Ceremony, 'config' | 'keys' | 'now'>): AuthorityChoices {
  return {
    ...config.authority,
    pkiBaseUrl: config.address.pki,
    now,
    keys: { authorities: keys, responders: keys.local },
  };
}

/** The root with its key. @throws Error when the key cannot be opened */
export async function openRoot(
  records: readonly AuthorityRecord[],
  keys: OpenKeys,
): Promise<SigningAuthority> {
  const record = records.find(({ kind }) => kind === 'root');
  if (record === undefined) throw new CeremonyError('There is no root.');
  if (record.key.kind === 'elsewhere') {
    throw new CeremonyError(
      'The key of the root is elsewhere: "request" begins the next authority, "root sign" and "install" follow.',
    );
  }
  const certificate = parsedCertificate(record.name, record.certificate);
  const publicKey: KeyObject = publicKeyOf(certificate);
  return { name: record.name, certificate, publicKey, sign: await keys.open(record.key, publicKey) };
}

/** The authority that signs at `now`; undefined before the first does. */
export function activeOf({ authorities }: AuthorityFile, now: Date): AuthorityRecord | undefined {
  return authorities
    .filter(({ activeFrom }) => activeFrom !== null && new Date(activeFrom) <= now)
    .sort((a, b) => String(b.activeFrom).localeCompare(String(a.activeFrom)))[0];
}

/** The issuing authority that was made last, whether it signs yet or not. */
export function lastIssuing(records: readonly AuthorityRecord[]): AuthorityRecord | undefined {
  return records.findLast(({ kind }) => kind === 'issuing');
}

/** Of the issuing authority that comes next. */
export function nextNumber(records: readonly AuthorityRecord[]): number {
  const numbers = records
    .filter(({ kind }) => kind === 'issuing')
    .map(({ name }) => Number(/^issuing(?:-(\d+))?$/.exec(name)?.[1] ?? 1));
  return 1 + Math.max(0, ...numbers);
}

/** @throws CeremonyError while an authority that was made has not begun to sign */
export function refuseWaiting(records: readonly AuthorityRecord[], now: Date): void {
  const waiting = records.find(({ activeFrom }) => activeFrom !== null && new Date(activeFrom) > now);
  if (!waiting?.activeFrom) return;
  const from = formatInstant(new Date(waiting.activeFrom));
  throw new CeremonyError(`${waiting.name} takes over at ${from}; rotate again after that.`);
}

export function placeOf(key: { readonly kind: string; readonly label?: string }): string {
  if (key.kind === 'pkcs11') return `in the token, labelled ${key.label}`;
  return key.kind === 'elsewhere' ? 'elsewhere: no running service can open it' : 'sealed in the file';
}

export function formatInstant(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
