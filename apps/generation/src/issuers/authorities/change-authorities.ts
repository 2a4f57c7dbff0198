import type { KeyObject } from 'node:crypto';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { ocspResponderProfile } from '@rubrica/pki';
import type { AuthorityKeys } from '../authority-keys.ts';
import {
  type AuthorityFile,
  type AuthorityRecord,
  readAuthorityFile,
  writeAuthorityFile,
} from './authority-file.ts';
import { parseAuthorityCertificate, toPublicKey } from './lint-and-sign.ts';
import { makeResponder } from './make-responder.ts';
import { listRootKeys } from './open-authorities.ts';

/** Result of a change of the authorities. */
export interface AuthorityChange {
  readonly changed: boolean;
  /** Current revision; undefined without authorities. */
  readonly file: AuthorityFile | undefined;
  /** Authorities before the change. */
  readonly before: readonly AuthorityRecord[];
}

type Change = (records: readonly AuthorityRecord[]) => Promise<readonly AuthorityRecord[] | undefined>;

/**
 * Reads, changes and writes the next revision; starts again if another process was faster, and discards what the losing
 * change created. `change` gets an empty list where there are no authorities, and returns undefined when nothing must
 * change.
 */
export async function changeAuthorities(directory: string, change: Change): Promise<AuthorityChange> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const file = await readAuthorityFile(directory);
    const before = file?.authorities ?? [];
    const authorities = await change(before);
    if (authorities === undefined) return { changed: false, file, before };
    const next = { revision: (file?.revision ?? 0) + 1, authorities };
    if (await writeAuthorityFile(directory, next)) return { changed: true, file: next, before };
  }
  throw new Error(`${directory} is being changed all the time by another process`);
}

/** Renewal in the last third of a responder's validity leaves time for services that were down. */
const renewBeforeMs = (ocspResponderProfile.lifetimeDays / 3) * DAY_MS;

interface Renewal {
  readonly keys: Pick<AuthorityKeys, 'open'>;
  readonly responders: Pick<AuthorityKeys, 'make'>;
  readonly now: Date;
}

/**
 * Renews the responders of valid issuing authorities that are near their end.
 * @returns undefined when none is
 */
export async function renewResponders(
  records: readonly AuthorityRecord[],
  renewal: Renewal,
): Promise<AuthorityRecord[] | undefined> {
  if (!records.some((record) => needsResponder(record, renewal.now))) return undefined;
  const notBeside = listRootKeys(records);
  const renewed: AuthorityRecord[] = [];
  for (const record of records) {
    const isRenewed = needsResponder(record, renewal.now);
    renewed.push(isRenewed ? await renewResponder(record, renewal, notBeside) : record);
  }
  return renewed;
}

/** Returns whether an authority needs a responder. One near its own end gets none that would outlive it. */
function needsResponder({ kind, name, certificate, responder }: AuthorityRecord, now: Date): boolean {
  const end = parseAuthorityCertificate(name, certificate).notAfter.date.getTime();
  if (kind !== 'issuing' || end <= now.getTime()) return false;
  if (responder === null) return true;
  const responderEnd = parseAuthorityCertificate(name, responder.certificate).notAfter.date.getTime();
  return responderEnd < Math.min(now.getTime() + renewBeforeMs, end);
}

async function renewResponder(
  record: AuthorityRecord,
  { keys, responders, now }: Renewal,
  notBeside: readonly KeyObject[],
): Promise<AuthorityRecord> {
  const certificate = parseAuthorityCertificate(record.name, record.certificate);
  const publicKey = toPublicKey(certificate);
  const sign = await keys.open(record.key, publicKey, { notBeside });
  const authority = { name: record.name, certificate, publicKey, sign };
  return { ...record, responder: await makeResponder(authority, { keys: responders, now }) };
}
