import type { Upload } from '@rubrica/bus';
import { AppError } from '@rubrica/process';

/** The ciphertext of one file: in memory, or on its way into the object store. */
export interface KeptFile {
  /** The piece must not change any more. */
  write(piece: Buffer): void;
  /** No more comes. */
  end(): void;
  /** All of it, where it is to travel inside the call; else it is committed. */
  content(): Buffer | undefined;
  /** Gives it its name in the object store. @throws AppError SERVICE_UNAVAILABLE */
  commit(name: string): Promise<void>;
  /** Removes it, best effort; only while nothing refers to it. */
  discard(): Promise<void>;
}

/** The files of one call. */
export interface FileKeeper {
  open(): KeptFile;
  /** What is in memory now, bytes. */
  heldBytes(): number;
  /**
   * What to wait for before more is written; undefined while the object store keeps up.
   * @throws AppError SERVICE_UNAVAILABLE once it is known that a file cannot be stored
   */
  pause(): Promise<void> | undefined;
  /** Removes the files that were not committed, or all. Best effort. */
  discard(which: 'unnamed' | 'all'): Promise<void>;
}

/** Up to here the files of a call travel inside it: the object store costs a third of the rate of registrations. */
const maxInlineBytes = 256 * 1024;
/** Of one call, sent and not yet acknowledged: enough to keep the store busy, little enough for many calls at once. */
const maxUnderWayBytes = 512 * 1024;

/**
 * Keeps files in memory until they come to more than a call carries; from then on all of them go into the object
 * store while they arrive. None has a name there before it is committed, so that a crash leaves nothing but chunks,
 * which intake sweeps.
 */
export function createFileKeeper(openUpload: () => Upload): FileKeeper {
  const files: MovableFile[] = [];
  let total = 0;
  let isInline = true;

  const count = (bytes: number) => {
    total += bytes;
    if (!isInline || total <= maxInlineBytes) return;
    isInline = false;
    for (const file of files) file.move();
  };
  const sum = (bytesOf: (file: MovableFile) => number) =>
    files.reduce((bytes, file) => bytes + bytesOf(file), 0);
  const underWay = () => sum((file) => file.upload()?.underWayBytes() ?? 0);

  const catchUp = async () => {
    while (underWay() > maxUnderWayBytes) {
      const busy = files.find((file) => (file.upload()?.underWayBytes() ?? 0) > 0);
      await busy?.upload()?.acknowledged().catch(refuse);
    }
  };

  return {
    open() {
      const file = movableFile(openUpload, count);
      files.push(file);
      if (!isInline) file.move();
      return file;
    },
    heldBytes: () => sum((file) => file.heldBytes()),
    pause() {
      for (const file of files) if (file.upload()?.failure() !== undefined) refuse(file.upload()?.failure());
      return underWay() > maxUnderWayBytes ? catchUp() : undefined;
    },
    async discard(which) {
      const unwanted = files.filter((file) => which === 'all' || !file.isNamed());
      await Promise.all(unwanted.map((file) => file.discard()));
    },
  };
}

interface MovableFile extends KeptFile {
  /** From memory to the object store, with all that is still to come. */
  move(): void;
  upload(): Upload | undefined;
  heldBytes(): number;
  isNamed(): boolean;
}

function movableFile(openUpload: () => Upload, count: (bytes: number) => void): MovableFile {
  let pieces: Buffer[] = [];
  let pieceBytes = 0;
  let upload: Upload | undefined;
  let isEnded = false;
  let isGone = false;
  let isNamed = false;
  const release = () => {
    pieces = [];
    pieceBytes = 0;
  };
  return {
    write(piece) {
      if (upload !== undefined) upload.write(piece);
      else {
        pieces.push(piece);
        pieceBytes += piece.length;
      }
      count(piece.length);
    },
    end() {
      isEnded = true;
      upload?.end();
    },
    content: () => (upload === undefined ? Buffer.concat(pieces) : undefined),
    async commit(name) {
      isNamed = true;
      await upload?.commit(name).catch(refuse);
    },
    async discard() {
      isGone = true;
      release();
      await upload?.discard();
    },
    move() {
      if (isGone) return;
      upload = openUpload();
      for (const piece of pieces) upload.write(piece);
      if (isEnded) upload.end();
      release();
    },
    upload: () => upload,
    heldBytes: () => pieceBytes + (upload?.heldBytes() ?? 0),
    isNamed: () => isNamed,
  };
}

/** Nothing was registered yet, so the whole call may come again. */
function refuse(cause: unknown): never {
  throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause, retryAfterSeconds: 2 });
}
