import type { KeyObject } from 'node:crypto';
import { createEntryGuard } from '@rubrica/audit/entries';
import { createDatabase } from '@rubrica/database/connection';
import { loadKeyring } from '@rubrica/process/keyring';
import { createLogger } from '@rubrica/process/log';
import { auditLog } from '../certificate/audit-log.ts';
import type { CeremonyConfig } from '../config.ts';
import { type AuditAuthorities, auditAuthorities } from '../issuers/authorities/audit-authorities.ts';
import type { AuthorityFile, AuthorityRecord } from '../issuers/authorities/authority-file.ts';
import { parseAuthorityCertificate, toPublicKey } from '../issuers/authorities/lint-and-sign.ts';
import type { AuthorityChoices } from '../issuers/authorities/make-authority.ts';
import type { SigningAuthority } from '../issuers/authorities/make-responder.ts';
import { type OpenKeys, openKeys } from '../issuers/open-keys.ts';
import { schema } from '../store/schema.ts';

/** Context of each step of a ceremony. */
export interface Ceremony {
  readonly config: CeremonyConfig;
  readonly keys: OpenKeys;
  /** Does nothing without a database. */
  readonly audit: AuditAuthorities;
  readonly now: Date;
  readonly line: (text?: string) => void;
}

/** Wrong use of the command; shown without a stack trace. */
export class UsageError extends Error {}

/** Unmet precondition of a step; nothing was changed. */
export class CeremonyError extends Error {}

/** Runs a step with open keys, and closes them afterwards. */
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
 * Runs a step with the audit log, or without it where no database is configured.
 * @throws CeremonyError when the configured log is unreachable, before anything is changed
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

export function toAuthorityChoices({
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

/**
 * Opens the root with its key.
 * @throws Error when the key cannot be opened
 */
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
  const certificate = parseAuthorityCertificate(record.name, record.certificate);
  const publicKey: KeyObject = toPublicKey(certificate);
  return { name: record.name, certificate, publicKey, sign: await keys.open(record.key, publicKey) };
}

/** Finds the authority that signs at `now`; undefined before the first one is active. */
export function findActiveAuthority({ authorities }: AuthorityFile, now: Date): AuthorityRecord | undefined {
  return authorities
    .filter(({ activeFrom }) => activeFrom !== null && new Date(activeFrom) <= now)
    .sort((a, b) => String(b.activeFrom).localeCompare(String(a.activeFrom)))[0];
}

/** Finds the newest issuing authority, active or not. */
export function findLastIssuing(records: readonly AuthorityRecord[]): AuthorityRecord | undefined {
  return records.findLast(({ kind }) => kind === 'issuing');
}

/** Returns the number of the next issuing authority. */
export function nextAuthorityNumber(records: readonly AuthorityRecord[]): number {
  const numbers = records
    .filter(({ kind }) => kind === 'issuing')
    .map(({ name }) => Number(/^issuing(?:-(\d+))?$/.exec(name)?.[1] ?? 1));
  return 1 + Math.max(0, ...numbers);
}

/**
 * Refuses to continue while a new authority is not yet active.
 * @throws CeremonyError
 */
export function refuseWhilePending(records: readonly AuthorityRecord[], now: Date): void {
  const pending = records.find(({ activeFrom }) => activeFrom !== null && new Date(activeFrom) > now);
  if (!pending?.activeFrom) return;
  const from = formatInstant(new Date(pending.activeFrom));
  throw new CeremonyError(`${pending.name} takes over at ${from}; rotate again after that.`);
}

export function formatKeyLocation(key: { readonly kind: string; readonly label?: string }): string {
  if (key.kind === 'pkcs11') return `in the token, labelled ${key.label}`;
  return key.kind === 'elsewhere' ? 'elsewhere: no running service can open it' : 'sealed in the file';
}

export function formatInstant(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
