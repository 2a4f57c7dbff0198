import type { intakeContract } from '@rubrica/contracts';
import type { Keyring } from '@rubrica/service';
import type { CheckedEvidences, EvidenceItem } from './check-evidences.ts';
import { type EncryptedFile, overheadBytes } from './seal-files.ts';

type EvidenceBundle = intakeContract.EvidenceBundle;
type EvidenceReference = intakeContract.EvidenceReference;
type StoredFile = intakeContract.StoredFile;

/** Puts an encrypted file, in pieces, where intake will find it by its name. */
export type StoreObject = (name: string, pieces: readonly Buffer[]) => Promise<void>;

export interface BundleDeps {
  readonly keyring: Pick<Keyring, 'sealTo'>;
  readonly store: StoreObject;
}

export interface Evidences extends Pick<CheckedEvidences, 'items' | 'errors'> {
  /** What the files are encrypted with. */
  readonly fileKey: Buffer;
}

export type BundleEvidences = (folder: string, evidences: Evidences) => Promise<EvidenceBundle>;

/** Up to here files travel inside the call: a round through the object store costs a third of the rate. */
export const maxInlineBytes = 256 * 1024;

/** Hands on the encrypted files of one call with their key, which only intake can open. */
export function createEvidenceBundler({ keyring, store }: BundleDeps): BundleEvidences {
  return async (folder, { items, errors, fileKey }) => {
    const total = items.reduce((sum, { file }) => sum + (file ? file.size + overheadBytes : 0), 0);
    const keep = total <= maxInlineBytes ? inline : upload(store, folder);
    return {
      key: await keyring.sealTo('intake', fileKey),
      items: await Promise.all(items.map((item) => toReference(item, keep))),
      errors: [...errors],
    };
  };
}

type Place = Pick<StoredFile, 'content' | 'objectName'>;
type Keep = (evidenceId: string, file: EncryptedFile) => Place | Promise<Place>;

const inline: Keep = (_evidenceId, { pieces }) => ({ content: Buffer.concat(pieces).toString('base64') });

const upload =
  (store: StoreObject, folder: string): Keep =>
  async (evidenceId, { pieces }) => {
    const objectName = `${folder}/${evidenceId}`;
    await store(objectName, pieces);
    return { objectName };
  };

async function toReference(item: EvidenceItem, keep: Keep): Promise<EvidenceReference> {
  const { file, ...named } = item;
  if (file === undefined) return named as EvidenceReference;
  const { type, size, sha256 } = file;
  const stored = { mediaType: type?.mediaType, size, sha256, ...(await keep(item.evidenceId, file)) };
  return { ...named, file: stored } as EvidenceReference;
}
