import { createHash, randomBytes } from 'node:crypto';
import type { intakeContract } from '@rubrica/contracts';
import type { Keyring } from '@rubrica/service';
import type { CheckedEvidences, EvidenceItem } from './check-evidences.ts';
import { encryptFile, fileKeyBytes, overheadBytes } from './encrypt-file.ts';

type EvidenceBundle = intakeContract.EvidenceBundle;
type EvidenceReference = intakeContract.EvidenceReference;
type StoredFile = intakeContract.StoredFile;

/** Puts an encrypted file where intake will find it by its name. */
export type StoreObject = (name: string, bytes: Uint8Array) => Promise<void>;

export interface BundleDeps {
  readonly keyring: Pick<Keyring, 'sealTo'>;
  readonly store: StoreObject;
}

export type BundleEvidences = (folder: string, evidences: CheckedEvidences) => Promise<EvidenceBundle>;

/** Up to here files travel inside the call: a round through the object store costs a third of the rate. */
export const maxInlineBytes = 256 * 1024;

/** Encrypts the files of one call under a key of their own, which only intake can open. */
export function createEvidenceBundler({ keyring, store }: BundleDeps): BundleEvidences {
  return async (folder, { items, errors }) => {
    const key = randomBytes(fileKeyBytes);
    const total = items.reduce(
      (sum, { file }) => sum + (file ? file.bytes.byteLength + overheadBytes : 0),
      0,
    );
    const keep = total <= maxInlineBytes ? inline : upload(store, folder);
    const references = items.map((item, position) =>
      toReference(item, keep, (bytes) => encryptFile(key, position, bytes)),
    );
    return {
      key: await keyring.sealTo('intake', key),
      items: await Promise.all(references),
      errors: [...errors],
    };
  };
}

type Place = Pick<StoredFile, 'content' | 'objectName'>;
type Keep = (evidenceId: string, encrypted: Buffer) => Place | Promise<Place>;

const inline: Keep = (_evidenceId, encrypted) => ({ content: encrypted.toString('base64') });

const upload =
  (store: StoreObject, folder: string): Keep =>
  async (evidenceId, encrypted) => {
    const objectName = `${folder}/${evidenceId}`;
    await store(objectName, encrypted);
    return { objectName };
  };

async function toReference(
  item: EvidenceItem,
  keep: Keep,
  encrypt: (bytes: Uint8Array) => Buffer,
): Promise<EvidenceReference> {
  const { file, ...named } = item;
  if (file === undefined) return named as EvidenceReference;
  const stored = {
    mediaType: file.mediaType,
    size: file.bytes.byteLength,
    sha256: createHash('sha256').update(file.bytes).digest('hex'),
    ...(await keep(item.evidenceId, encrypt(file.bytes))),
  };
  return { ...named, file: stored } as EvidenceReference;
}
