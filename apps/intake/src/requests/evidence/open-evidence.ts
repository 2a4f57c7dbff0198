import { createDecipheriv, createHash, createSecretKey } from 'node:crypto';
import { EvidenceStoreError, type EvidenceStores } from '@rubrica/evidence-store';
import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import { EvidenceDamaged } from './evidence-damaged.ts';
import type { EvidenceFile } from './evidence-file.ts';

interface OpenEvidenceDeps {
  readonly keyring: Pick<Keyring, 'open'>;
  readonly stores: Pick<EvidenceStores, 'get'>;
}

/** Function that opens one file of the request whose key it has; the whole file is in memory, once. */
export type OpenFile = (file: EvidenceFile) => Promise<Buffer>;
/** Request of the caller's own row, and its key, which opens all files without one of their own. */
export interface SealedRequestKey {
  readonly requestId: string;
  readonly sealedKey: string;
}
/** Function that returns the opener of a request. Hold the opener no longer than the work on that request. */
export type OpenEvidence = (request: SealedRequestKey) => Promise<OpenFile>;

export interface EvidenceDeps {
  readonly openEvidence: OpenEvidence;
}

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Decrypts files of the gateway. No byte of a file is returned before its tag and its SHA-256 are verified.
 * The opener throws EvidenceDamaged if the bytes are not those that were sent, and SERVICE_UNAVAILABLE if the
 * evidence store does not answer. A job that meets the latter is redelivered.
 * @throws KeyringError if the key was not sealed to this service
 */
export function createOpenEvidence({ keyring, stores }: OpenEvidenceDeps): OpenEvidence {
  return async ({ requestId, sealedKey }) => {
    const binding = { purpose: 'evidence-key', owner: requestId } as const;
    const key = await keyring.open(sealedKey, binding);
    return async (file) => {
      const sealed = file.content ?? (await fetchObject(stores, file));
      const bytes = decrypt(file.ownKey ? await keyring.open(file.ownKey, binding) : key, sealed, file.id);
      const digest = createHash('sha256').update(bytes).digest('hex');
      if (digest !== file.sha256) throw new EvidenceDamaged(file.id, 'another SHA-256 than was registered');
      return bytes;
    };
  };
}

async function fetchObject(
  stores: OpenEvidenceDeps['stores'],
  { id, object, size }: EvidenceFile,
): Promise<Buffer> {
  if (object === null) throw new EvidenceDamaged(id, 'no bytes were kept', 'missing');
  // Checked first: reading an oversized object to its end would fill the memory before the digest could tell.
  if (object.sizeBytes !== size + nonceBytes + tagBytes)
    throw new EvidenceDamaged(id, 'its object has another size');
  try {
    return await stores.get(object).bytes();
  } catch (cause) {
    const code = cause instanceof EvidenceStoreError ? cause.code : undefined;
    if (code === 'missing') throw new EvidenceDamaged(id, 'its object is gone', 'missing');
    if (code === 'corrupt') throw new EvidenceDamaged(id, 'its object is not what was stored');
    throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause, retryAfterSeconds: 2 });
  }
}

function decrypt(key: Uint8Array, sealed: Buffer, id: string): Buffer {
  if (sealed.length < nonceBytes + tagBytes) throw new EvidenceDamaged(id, 'cut short');
  const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  const bytes = decipher.update(sealed.subarray(nonceBytes, -tagBytes));
  try {
    decipher.final();
  } catch {
    throw new EvidenceDamaged(id, 'its tag does not fit');
  }
  return bytes;
}
