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
import { parsedCertificate, publicKeyOf } from './certify.ts';
import { makeResponder } from './make-responder.ts';
import { rootKeysOf } from './open-authorities.ts';

/** What became of an attempt to change the authorities. */
export interface AuthorityChange {
  readonly changed: boolean;
  /** As they are now; undefined where there are none. */
  readonly file: AuthorityFile | undefined;
  /** As they were. */
  readonly before: readonly AuthorityRecord[];
}

type Change = (records: readonly AuthorityRecord[]) => Promise<readonly AuthorityRecord[] | undefined>;

/**
 * Reads, changes and writes the next revision; begins again where another process was faster. Whatever the losing
 * change has made is thrown away. `change` is given nothing where there are no authorities yet, and gives undefined
 * when all is as it should be.
 */
export async function changeAuthorities(directory: string, change: Change): Promise<AuthorityChange> {
  for (let round = 0; round < 20; round += 1) {
    const file = await readAuthorityFile(directory);
    const before = file?.authorities ?? [];
    const authorities = await change(before);
    if (authorities === undefined) return { changed: false, file, before };
    const next = { revision: (file?.revision ?? 0) + 1, authorities };
    if (await writeAuthorityFile(directory, next)) return { changed: true, file: next, before };
  }
  throw new Error(`${directory} is being changed all the time by another process`);
}

/** The last third of a responder's life is for those who were away while it was renewed. */
const renewBeforeMs = (ocspResponderProfile.lifetimeDays / 3) * DAY_MS;

interface Renewal {
  readonly keys: Pick<AuthorityKeys, 'open'>;
  readonly responders: Pick<AuthorityKeys, 'make'>;
  readonly now: Date;
}

/**
 * Gives each issuing authority that lives a responder that will live on.
 * @returns undefined when each has one
 */
export async function renewResponders(
  records: readonly AuthorityRecord[],
  renewal: Renewal,
): Promise<AuthorityRecord[] | undefined> {
  if (!records.some((record) => needsResponder(record, renewal.now))) return undefined;
  const notBeside = rootKeysOf(records);
  const renewed: AuthorityRecord[] = [];
  for (const record of records) {
    const isDue = needsResponder(record, renewal.now);
    renewed.push(isDue ? await withResponder(record, renewal, notBeside) : record);
  }
  return renewed;
}

/** An authority near its own end gets no longer-lived responder than the one it has. */
function needsResponder({ kind, name, certificate, responder }: AuthorityRecord, now: Date): boolean {
  const end = parsedCertificate(name, certificate).notAfter.date.getTime();
  if (kind !== 'issuing' || end <= now.getTime()) return false;
  if (responder === null) return true;
  const responderEnd = parsedCertificate(name, responder.certificate).notAfter.date.getTime();
  return responderEnd < Math.min(now.getTime() + renewBeforeMs, end);
}

async function withResponder(
  record: AuthorityRecord,
  { keys, responders, now }: Renewal,
  notBeside: readonly KeyObject[],
): Promise<AuthorityRecord> {
  const certificate = parsedCertificate(record.name, record.certificate);
  const publicKey = publicKeyOf(certificate);
  const sign = await keys.open(record.key, publicKey, { notBeside });
  const authority = { name: record.name, certificate, publicKey, sign };
  return { ...record, responder: await makeResponder(authority, { keys: responders, now }) };
}
