import type { KeyObject } from 'node:crypto';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { crlTbs, signCrl } from '@rubrica/pki';
import {
  parseAuthorityCertificate,
  toIssuerIdentity,
  toPublicKey,
} from '../../issuers/authorities/lint-and-sign.ts';
import type { SigningAuthority } from '../../issuers/authorities/make-responder.ts';
import { createCheckedSigner } from '../../issuers/checked-signer.ts';
import { CeremonyError, formatInstant } from '../ceremony.ts';
import { type RootFile, readRootFile, writeRootFile } from './root-file.ts';
import type { RootKeys } from './root-keys.ts';
import type { RootConfig } from './root-settings.ts';

/** Context of each step at the root. */
export interface RootCeremony {
  readonly config: RootConfig;
  readonly keys: RootKeys;
  readonly now: Date;
  readonly line: (text?: string) => void;
}

export interface OpenRoot {
  readonly file: RootFile;
  readonly authority: SigningAuthority;
}

/**
 * Reads the file of the root.
 * @throws CeremonyError without a root
 */
export async function loadRootFile({ directory }: Pick<RootConfig, 'directory'>): Promise<RootFile> {
  const file = await readRootFile(directory);
  if (file === undefined) throw new CeremonyError('There is no root here yet: "root init" makes it.');
  return file;
}

/**
 * Opens the root.
 * @param notBeside keys that the root's token must not hold
 */
export async function openRoot(
  { config, keys }: Pick<RootCeremony, 'config' | 'keys'>,
  notBeside: readonly KeyObject[] = [],
): Promise<OpenRoot> {
  const file = await loadRootFile(config);
  const certificate = parseAuthorityCertificate('root', file.certificate);
  const publicKey = toPublicKey(certificate);
  const sign = await keys.open(file.key, publicKey, { notBeside });
  return { file, authority: { name: 'root', certificate, publicKey, sign } };
}

/** Signs the next CRL. Its number is stored before use, so that no number is used twice. */
export async function signRootCrl(
  { config, now }: Pick<RootCeremony, 'config' | 'now'>,
  { file, authority }: OpenRoot,
): Promise<{ file: RootFile; der: Uint8Array; told: string }> {
  const next = { ...file, crlNumber: file.crlNumber + 1 };
  await writeRootFile(config.directory, next);
  const issuer = toIssuerIdentity(authority.certificate);
  const thisUpdate = new Date(Math.floor(now.getTime() / 1_000) * 1_000);
  const nextUpdate = new Date(thisUpdate.getTime() + config.crlLifetimeDays * DAY_MS);
  const number = BigInt(next.crlNumber);
  const tbs = crlTbs({ issuer, number, thisUpdate, nextUpdate, entries: [] });
  const der = await signCrl(
    tbs,
    issuer.signatureAlgorithm,
    createCheckedSigner(authority.sign, authority.publicKey),
  );
  return { file: next, der, told: `number ${number}, until ${formatInstant(nextUpdate)}` };
}
