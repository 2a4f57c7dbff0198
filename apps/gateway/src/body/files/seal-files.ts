import { type CipherGCM, createCipheriv, createHash, createSecretKey, randomBytes } from 'node:crypto';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { findPdfHeader, type RecognisedType, recogniseType } from '@rubrica/contracts/shared/recognise-type';
import type { FileSink } from '@rubrica/json-stream';
import { AppError } from '@rubrica/process/errors';
import type { CallFile, FileKeeper } from './keep-files.ts';

/** Received file: encrypted piece by piece, never complete in the clear. */
export interface SealedFile {
  /** Type by its first bytes; undefined for an unsupported type. */
  readonly type: RecognisedType | undefined;
  /** Bytes before a PDF header, where they are too many for a valid PDF. */
  readonly octetsBeforePdf: number | undefined;
  /** Size of the plaintext, in bytes. */
  readonly size: number;
  /** SHA-256 of the plaintext, hex. */
  readonly sha256: string;
  /** Ciphertext, AES-256-GCM: nonce first, tag last. */
  readonly kept: CallFile;
}

export interface FileSealer {
  /** Key of all files of this call. */
  readonly key: Buffer;
  open(): FileSink<SealedFile>;
}

const nonceBytes = 12;
const tagBytes = 16;
/** Size that encryption adds to a file. */
export const encryptionOverheadBytes = nonceBytes + tagBytes;
/** Maximum files per call, far more than any operation takes; each costs a cipher, a hash and perhaps an upload. */
const maxFiles = 128;

/**
 * Creates a sealer: AES-256-GCM under a new key for each call, with numbered files. This is the deterministic nonce of
 * NIST SP 800-38D §8.2.1, which cannot repeat.
 */
export function createFileSealer(keeper: Pick<FileKeeper, 'open'>): FileSealer {
  const key = randomBytes(32);
  let count = 0;
  return {
    key,
    open() {
      if (count === maxFiles) throw createTooManyFiles();
      const nonce = Buffer.alloc(nonceBytes);
      nonce.writeUInt32BE(count, nonceBytes - 4);
      count += 1;
      const kept = keeper.open();
      kept.write(nonce);
      return createSealingSink(kept, createCipheriv('aes-256-gcm', createSecretKey(key), nonce));
    },
  };
}

function createSealingSink(kept: CallFile, cipher: CipherGCM): FileSink<SealedFile> {
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

function createTooManyFiles(): AppError {
  return new AppError({
    code: 'BODY_MALFORMED',
    text: createText('call.fileCount', { count: maxFiles }),
  });
}

export interface HeaderSearch {
  /** Reads the next block. Its memory may be reused afterwards. */
  read(block: Uint8Array): void;
  /** Returns the number of bytes before the first PDF header; undefined if there was none. */
  found(): number | undefined;
}

/** One byte less than the header: the longest part of it at the end of a block. */
const carriedBytes = 4;

/** Creates a search over the blocks of a file of unknown type, to report how many bytes precede its PDF header. */
export function createHeaderSearch(): HeaderSearch {
  let found: number | undefined;
  let bytesRead = 0;
  let carried = Buffer.alloc(0);
  return {
    read(block) {
      if (found !== undefined) return;
      // A header across the boundary precedes any header inside this block.
      const between = Buffer.concat([carried, block.subarray(0, carriedBytes)]);
      const start = bytesRead - carried.length;
      const acrossBlocks = findPdfHeader(between);
      const inside = acrossBlocks === undefined ? findPdfHeader(block) : undefined;
      if (acrossBlocks !== undefined) found = start + acrossBlocks;
      else if (inside !== undefined) found = bytesRead + inside;
      bytesRead += block.length;
      carried = Buffer.from(
        block.length < carriedBytes
          ? Buffer.concat([carried, block]).subarray(-carriedBytes)
          : block.subarray(-carriedBytes),
      );
    },
    found: () => found,
  };
}
