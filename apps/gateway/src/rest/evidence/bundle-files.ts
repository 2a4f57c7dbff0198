import type * as evidenceContract from '@rubrica/contracts/services/schemas/evidence';
import type { RegisterInput } from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import type { Keyring } from '@rubrica/process/keyring';
import type { SealedBody } from '../../body/body.ts';
import type { SealedFile } from '../../body/files/seal-files.ts';
import { requestOwner } from '../../fields/request-owner.ts';

type EvidenceBundle = evidenceContract.EvidenceBundle;
type EvidenceReference = evidenceContract.EvidenceReference;
type StoredFile = evidenceContract.StoredFile;

/** Evidence or attachment for intake, with the path of its file in the body. */
export interface BundleItem extends Omit<EvidenceReference, 'file'> {
  /** Key of `body.files`, such as `identificationFront` or `evidences[0].evidenceFile`; absent without a file. */
  readonly place?: string;
}

export interface FilesToBundle {
  readonly body: Pick<SealedBody, 'files' | 'fileKey'>;
  readonly items: readonly BundleItem[];
  /** Errors of evidences that could not be accepted. */
  readonly errors?: readonly ErrorDetail[];
}

/**
 * Bundles the encrypted files of one call with their key, sealed to intake. Files without an item are left out.
 * @throws AppError SERVICE_UNAVAILABLE where the evidence store cannot accept them
 */
export type BundleFiles = (requestId: string, files: FilesToBundle) => Promise<EvidenceBundle>;

export function createFileBundler({ keyring }: { keyring: Pick<Keyring, 'sealTo'> }): BundleFiles {
  return async (requestId, { body, items, errors = [] }) => {
    const references = await Promise.all(items.map((item) => toReference(item, findFile(item, body))));
    return {
      key: await keyring.sealTo('intake', body.fileKey, {
        purpose: 'evidence-key',
        owner: requestOwner(requestId),
      }),
      items: references,
      errors: [...errors],
    };
  };
}

/** Adds the bundle. A faulty body is refused, so its files are not passed on; intake adds its own faults. */
export async function withBundle(
  input: RegisterInput,
  files: FilesToBundle,
  { bundleFiles }: { readonly bundleFiles: BundleFiles },
): Promise<RegisterInput> {
  const { requestId, faults } = input;
  return faults.length > 0 ? input : { ...input, evidence: await bundleFiles(requestId, files) };
}

function findFile({ place }: BundleItem, { files }: FilesToBundle['body']): SealedFile | undefined {
  if (place === undefined) return undefined;
  const value = files.get(place);
  if (value?.kind !== 'file') throw new Error(`${place} holds no file that could be handed on`);
  return value.file;
}

async function toReference(
  { place: _, ...named }: BundleItem,
  file: SealedFile | undefined,
): Promise<EvidenceReference> {
  if (file === undefined) return named;
  const { type, size, sha256 } = file;
  if (type === undefined) throw new Error('A file of an unknown type cannot be handed on');
  return { ...named, file: { mediaType: type.mediaType, size, sha256, ...(await locateFile(file)) } };
}

async function locateFile({ kept }: SealedFile): Promise<Pick<StoredFile, 'content' | 'object'>> {
  const { content, object } = await kept.place();
  return content === undefined ? { object } : { content };
}
