import type { ErrorDetail, intakeContract } from '@rubrica/contracts';
import type { Keyring } from '@rubrica/service';
import type { SealedBody } from '../body/body.ts';
import { overheadBytes, type SealedFile } from './seal-files.ts';

type EvidenceBundle = intakeContract.EvidenceBundle;
type EvidenceReference = intakeContract.EvidenceReference;
type StoredFile = intakeContract.StoredFile;

/** One thing to hand on: what intake is to know of it, and where in the body its file stands. */
export interface BundleItem extends Omit<EvidenceReference, 'file'> {
  /** A key of `body.files`, such as `identificationFront` or `evidences[0].evidenceFile`; absent: without a file. */
  readonly place?: string;
}

export interface FilesToBundle {
  readonly body: Pick<SealedBody, 'files' | 'fileKey'>;
  readonly items: readonly BundleItem[];
  /** Evidences that could not be taken while the request is. */
  readonly errors?: readonly ErrorDetail[];
}

/**
 * Hands on the encrypted files of one call with their key, which only intake can open. Files that no item names
 * stay behind.
 *
 * @param folder what the objects' names begin with: an id minted for this call
 * @throws AppError SERVICE_UNAVAILABLE where the object store cannot take them
 */
export type BundleFiles = (folder: string, files: FilesToBundle) => Promise<EvidenceBundle>;

/** Puts an encrypted file, in pieces, where intake will find it by its name. */
export type StoreObject = (name: string, pieces: readonly Buffer[]) => Promise<void>;

export interface BundleDeps {
  readonly keyring: Pick<Keyring, 'sealTo'>;
  readonly store: StoreObject;
}

/** Up to here files travel inside the call: a round through the object store costs a third of the rate. */
export const maxInlineBytes = 256 * 1024;

export function createFileBundler({ keyring, store }: BundleDeps): BundleFiles {
  return async (folder, { body, items, errors = [] }) => {
    const found = items.map((item) => ({ item, file: fileOf(item, body) }));
    const total = found.reduce((sum, { file }) => sum + (file ? file.size + overheadBytes : 0), 0);
    const keep = total <= maxInlineBytes ? inline : upload(store, folder);
    return {
      key: await keyring.sealTo('intake', body.fileKey),
      items: await Promise.all(found.map(({ item, file }) => toReference(item, file, keep))),
      errors: [...errors],
    };
  };
}

function fileOf({ place }: BundleItem, { files }: FilesToBundle['body']): SealedFile | undefined {
  if (place === undefined) return undefined;
  const value = files.get(place);
  if (value?.kind !== 'file') throw new Error(`${place} holds no file that could be handed on`);
  return value.file;
}

type Place = Pick<StoredFile, 'content' | 'objectName'>;
type Keep = (evidenceId: string, file: SealedFile) => Place | Promise<Place>;

const inline: Keep = (_evidenceId, { pieces }) => ({ content: Buffer.concat(pieces).toString('base64') });

const upload =
  (store: StoreObject, folder: string): Keep =>
  async (evidenceId, { pieces }) => {
    const objectName = `${folder}/${evidenceId}`;
    await store(objectName, pieces);
    return { objectName };
  };

async function toReference(
  { place: _, ...named }: BundleItem,
  file: SealedFile | undefined,
  keep: Keep,
): Promise<EvidenceReference> {
  if (file === undefined) return named;
  const { type, size, sha256 } = file;
  if (type === undefined) throw new Error('A file of an unknown type cannot be handed on');
  const stored = { mediaType: type.mediaType, size, sha256, ...(await keep(named.evidenceId, file)) };
  return { ...named, file: stored };
}
