import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { type Bus, type ObjectEntry, objectStore } from '@rubrica/bus';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import type * as evidenceContract from '@rubrica/contracts/services/schemas/evidence';
import type { Keyring } from '@rubrica/process/keyring';
import { uuidv7 } from '@rubrica/process/time';

type EvidenceBundle = evidenceContract.EvidenceBundle;

export interface SealedFile {
  readonly size: number;
  readonly sha256: string;
  /** Nonce, ciphertext, tag. */
  readonly content: Buffer;
}

/** Encrypts one file as the gateway does. */
export function encryptFile(key: Buffer, file: Uint8Array): SealedFile {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const content = Buffer.concat([nonce, cipher.update(file), cipher.final(), cipher.getAuthTag()]);
  return { size: file.length, sha256: createHash('sha256').update(file).digest('hex'), content };
}

/** Stores bytes as the gateway does, with what intake is told of them. */
export async function putObject(bus: Bus, content: Buffer): Promise<ObjectEntry> {
  const upload = objectStore(bus, evidenceBucket).upload();
  upload.write(content);
  return upload.finish();
}

/** Files as the gateway hands them to intake, inside the call; `put` takes them to the object store instead. */
export async function sealFiles(
  { keyring, requestId }: { keyring: Pick<Keyring, 'sealTo'>; requestId: string },
  files: readonly Uint8Array[],
  put?: (content: Buffer) => Promise<ObjectEntry>,
): Promise<EvidenceBundle> {
  const key = randomBytes(32);
  const items = files.map(async (file) => {
    const evidenceId = uuidv7();
    const { content, ...sizes } = encryptFile(key, file);
    const place = put ? { object: await put(content) } : { content };
    return { evidenceId, file: { mediaType: 'image/png', ...sizes, ...place } };
  });
  const binding = { purpose: 'evidence-key', owner: requestId } as const;
  const sealedKey = await keyring.sealTo('intake', key, binding);
  return { key: sealedKey, items: await Promise.all(items), errors: [] };
}
