import { type CipherGCM, createCipheriv, createHash, createSecretKey, randomBytes } from 'node:crypto';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { type RecognisedType, recogniseType } from '@rubrica/contracts/shared/recognise-type';
import type { FileSink } from '@rubrica/json-stream';
import { AppError } from '@rubrica/process';
import { createHeaderSearch } from './header-search.ts';
import type { FileKeeper, KeptFile } from './keep-files.ts';

/** A file as it was taken in: encrypted piece by piece, never whole in the clear. */
export interface SealedFile {
  /** By its first bytes; undefined for a type that is not taken. */
  readonly type: RecognisedType | undefined;
  /** Octets before the header of a PDF, where they are too many for the file to be one. */
  readonly octetsBeforePdf: number | undefined;
  /** Of the file itself, bytes. */
  readonly size: number;
  /** Of the file itself, hex. */
  readonly sha256: string;
  /** Its ciphertext, AES-256-GCM: nonce first, tag last. */
  readonly kept: KeptFile;
}

export interface FileSealer {
  /** Of all files of this call. */
  readonly key: Buffer;
  open(): FileSink<SealedFile>;
}

const nonceBytes = 12;
const tagBytes = 16;
/** What encryption adds to a file. */
export const overheadBytes = nonceBytes + tagBytes;
/** Far more than any operation takes; each costs a cipher, a hash and perhaps an upload. */
const maxFiles = 128;

/**
 * AES-256-GCM under a key that is new for each call, so its files are numbered: the deterministic nonce of NIST
 * SP 800-38D §8.2.1, which cannot repeat.
 */
export function createFileSealer(keeper: Pick<FileKeeper, 'open'>): FileSealer {
  const key = randomBytes(32);
  let count = 0;
  return {
    key,
    open() {
      if (count === maxFiles) throw tooManyFiles();
      const nonce = Buffer.alloc(nonceBytes);
      nonce.writeUInt32BE(count, nonceBytes - 4);
      count += 1;
      const kept = keeper.open();
      kept.write(nonce);
      return sealingSink(kept, createCipheriv('aes-256-gcm', createSecretKey(key), nonce));
    },
  };
}

function sealingSink(kept: KeptFile, cipher: CipherGCM): FileSink<SealedFile> {
  const hash = createHash('sha256');
  let type: RecognisedType | undefined;
  const search = createHeaderSearch();
  let size = 0;
  return {
    write(block) {
      if (size === 0) type = recogniseType(block);
      if (type === undefined) search.read(block);
      size += block.byteLength;
      hash.update(block);
      kept.write(cipher.update(block));
    },
    end() {
      cipher.final();
      kept.write(cipher.getAuthTag());
      kept.end();
      return { type, octetsBeforePdf: search.found(), size, sha256: hash.digest('hex'), kept };
    },
    drop: kept.discard,
  };
}

function tooManyFiles(): AppError {
  return new AppError({
    code: 'BODY_MALFORMED',
    text: createText('call.fileCount', { count: maxFiles }),
  });
}
