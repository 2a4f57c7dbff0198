import type * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import type { Keyring } from '@rubrica/process';
import type { SealedBody } from '../../body/body.ts';
import type { SealedFile } from '../../body/files/seal-files.ts';
import { requestOwner } from '../../fields/request-owner.ts';

type EvidenceBundle = intakeContract.EvidenceBundle;
type EvidenceReference = intakeContract.EvidenceReference;
type StoredFile = intakeContract.StoredFile;

/** Whose the files are, and what the objects' names begin with: an id made for this call. */
export interface FilesPlace {
  readonly requestId: string;
  readonly folder: string;
}

/** One evidence or attachment: what intake gets of it, and the place of its file in the body. */
export interface BundleItem extends Omit<EvidenceReference, 'file'> {
  /** A key of `body.files`, such as `identificationFront` or `evidences[0].evidenceFile`; absent: without a file. */
  readonly place?: string;
}

export interface FilesToBundle {
  readonly body: Pick<SealedBody, 'files' | 'fileKey'>;
  readonly items: readonly BundleItem[];
  /** Of evidences that could not be taken. */
  readonly errors?: readonly ErrorDetail[];
}

/**
 * Bundles the encrypted files of one call with their key, sealed to intake. Files that no item names are left out.
 *
 * @throws AppError SERVICE_UNAVAILABLE where the object store cannot take them
 */
export type BundleFiles = (place: FilesPlace, files: FilesToBundle) => Promise<EvidenceBundle>;

export function createFileBundler({ keyring }: { keyring: Pick<Keyring, 'sealTo'> }): BundleFiles {
  return async ({ requestId, folder }, { body, items, errors = [] }) => {
    const found = items.map((item) => ({ item, file: fileOf(item, body) }));
    const settled = await Promise.allSettled(found.map(({ item, file }) => toReference(item, file, folder)));
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed !== undefined) {
      // Intake was not called yet, so nothing refers to the files that have a name already.
      for (const { file } of found) void file?.kept.discard();
      throw failed.reason;
    }
    return {
      key: await keyring.sealTo('intake', body.fileKey, {
        purpose: 'evidence-key',
        owner: requestOwner(requestId),
      }),
      items: settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
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

async function toReference(
  { place: _, ...named }: BundleItem,
  file: SealedFile | undefined,
  folder: string,
): Promise<EvidenceReference> {
  if (file === undefined) return named;
  const { type, size, sha256 } = file;
  if (type === undefined) throw new Error('A file of an unknown type cannot be handed on');
  const where = await whereIs(file, `${folder}/${named.evidenceId}`);
  return { ...named, file: { mediaType: type.mediaType, size, sha256, ...where } };
}

async function whereIs(
  { kept }: SealedFile,
  objectName: string,
): Promise<Pick<StoredFile, 'content' | 'objectName'>> {
  const content = kept.content();
  if (content !== undefined) return { content: content.toString('base64') };
  await kept.commit(objectName);
  return { objectName };
}
