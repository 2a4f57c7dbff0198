import { createDecipheriv, createHash, createSecretKey } from 'node:crypto';
import { EvidenceStoreError, type EvidenceStores } from '@rubrica/evidence-store';
import { AppError, type Keyring } from '@rubrica/process';
import { EvidenceDamaged } from './evidence-damaged.ts';
import type { EvidenceFile } from './evidence-file.ts';

interface Needs {
  readonly keyring: Pick<Keyring, 'open'>;
  readonly stores: Pick<EvidenceStores, 'get'>;
}

/** Opens one file of the request whose key the opener was made with; the whole of it in memory, once. */
export type OpenFile = (file: EvidenceFile) => Promise<Buffer>;
/** The request of one's own row, and its key, which opens all files without one of their own. */
export interface SealedRequestKey {
  readonly requestId: string;
  readonly sealedKey: string;
}
/** Hold the opener no longer than the work on that request. */
export type OpenEvidence = (request: SealedRequestKey) => Promise<OpenFile>;

export interface EvidenceDeps {
  readonly openEvidence: OpenEvidence;
}

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Reads what the gateway encrypted. Nothing of a file leaves here before its tag and its SHA-256 are verified.
 *
 * The opener throws EvidenceDamaged where the bytes are not what was sent, and SERVICE_UNAVAILABLE where the evidence
 * store does not answer: a job that meets it comes again.
 * @throws KeyringError where the key was not sealed to this service
 */
export function createOpenEvidence({ keyring, stores }: Needs): OpenEvidence {
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

async function fetchObject(stores: Needs['stores'], { id, object, size }: EvidenceFile): Promise<Buffer> {
  if (object === null) throw new EvidenceDamaged(id, 'no bytes were kept', 'missing');
  // Read to the end it would fill the memory before the digest could tell.
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
