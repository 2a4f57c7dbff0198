import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import type { EvidenceUpload } from '@rubrica/evidence-store';
import { AppError } from '@rubrica/process/errors';
import type { CallFileCount } from './stored-files.ts';

/** Location of a file: inside the call up to a total size, otherwise in the evidence store. */
export type FileLocation =
  | { readonly content: Buffer; readonly object?: undefined }
  | { readonly object: EvidenceEntry; readonly content?: undefined };

/** Ciphertext of one file: in memory, or being uploaded to the evidence store. */
export interface CallFile {
  /** Appends a piece, which must not change afterwards. */
  write(piece: Buffer): void;
  /** Marks the end of the file. */
  end(): void;
  /**
   * Returns the location of an ended file.
   * @throws AppError SERVICE_UNAVAILABLE where it could not be stored
   */
  place(): Promise<FileLocation>;
  /** Frees the memory. Uploaded bytes stay in the evidence store until intake's sweep. */
  discard(): void;
}

/** Files of one call. */
export interface FileKeeper {
  open(): CallFile;
  /** Returns the bytes in memory. */
  heldBytes(): number;
  /**
   * Returns what to await before writing more; undefined while the evidence store keeps up.
   * @throws AppError SERVICE_UNAVAILABLE once a file cannot be stored
   */
  pause(): Promise<void> | undefined;
}

/** Opens the keeper of one call's files, whose stored bytes are counted. */
export type OpenFileKeeper = (stored: CallFileCount) => FileKeeper;

/** Maximum total size of files inside a call: the evidence store costs a third of the registration rate. */
const maxInlineBytes = 256 * 1024;
/** Maximum unacknowledged upload per call: enough to keep the store busy, small enough for many concurrent calls. */
const maxUnacknowledgedBytes = 512 * 1024;

/**
 * Creates a keeper that holds files in memory until they exceed the size for a call. From then on all of them stream
 * into the evidence store. Nothing refers to them before intake stores their entries, and the gateway cannot delete
 * them: intake sweeps unreferenced files.
 */
export function createFileKeeper(
  openUpload: () => EvidenceUpload,
  stored: Pick<CallFileCount, 'add'>,
): FileKeeper {
  const files: MovableFile[] = [];
  let total = 0;
  let isInline = true;

  const count = (bytes: number) => {
    total += bytes;
    if (!isInline) return stored.add(bytes);
    if (total <= maxInlineBytes) return;
    stored.add(total);
    isInline = false;
    for (const file of files) file.move();
  };
  const sum = (bytesOf: (file: MovableFile) => number) =>
    files.reduce((bytes, file) => bytes + bytesOf(file), 0);
  const unacknowledgedBytes = () => sum((file) => file.upload()?.underWayBytes() ?? 0);

  const catchUp = async () => {
    while (unacknowledgedBytes() > maxUnacknowledgedBytes) {
      const busy = files.find((file) => (file.upload()?.underWayBytes() ?? 0) > 0);
      await busy?.upload()?.acknowledged().catch(throwUnavailable);
    }
  };

  return {
    open() {
      const file = createMovableFile(openUpload, count);
      files.push(file);
      if (!isInline) file.move();
      return file;
    },
    heldBytes: () => sum((file) => file.heldBytes()),
    pause() {
      for (const file of files)
        if (file.upload()?.failure() !== undefined) throwUnavailable(file.upload()?.failure());
      return unacknowledgedBytes() > maxUnacknowledgedBytes ? catchUp() : undefined;
    },
  };
}

interface MovableFile extends CallFile {
  /** Moves the file from memory to the evidence store, including all later pieces. */
  move(): void;
  upload(): EvidenceUpload | undefined;
  heldBytes(): number;
}

function createMovableFile(openUpload: () => EvidenceUpload, count: (bytes: number) => void): MovableFile {
  let pieces: Buffer[] = [];
  let pieceBytes = 0;
  let upload: EvidenceUpload | undefined;
  let isEnded = false;
  let isDiscarded = false;
  const release = () => {
    pieces = [];
    pieceBytes = 0;
  };
  return {
    write(piece) {
      count(piece.length);
      if (upload !== undefined) upload.write(piece);
      else {
        pieces.push(piece);
        pieceBytes += piece.length;
      }
    },
    end() {
      isEnded = true;
      upload?.end();
    },
    async place() {
      if (upload === undefined) return { content: Buffer.concat(pieces) };
      return { object: await upload.finish().catch(throwUnavailable) };
    },
    discard() {
      isDiscarded = true;
      release();
    },
    move() {
      if (isDiscarded) return;
      upload = openUpload();
      for (const piece of pieces) upload.write(piece);
      if (isEnded) upload.end();
      release();
    },
    upload: () => upload,
    heldBytes: () => pieceBytes + (upload?.heldBytes() ?? 0),
  };
}

/** Nothing was registered yet, so the whole call may be repeated. */
function throwUnavailable(cause: unknown): never {
  throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause, retryAfterSeconds: 2 });
}

const droppedFile: CallFile = {
  write: () => undefined,
  end: () => undefined,
  place: () => Promise.reject(new Error('A file that was dropped cannot be handed on')),
  discard: () => undefined,
};

/** Keeper for files that are checked but not stored. */
export const discardingKeeper: FileKeeper = {
  open: () => droppedFile,
  heldBytes: () => 0,
  pause: () => undefined,
};
