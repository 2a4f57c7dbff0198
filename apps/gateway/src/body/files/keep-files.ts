import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import type { EvidenceUpload } from '@rubrica/evidence-store';
import { AppError } from '@rubrica/process';
import type { CallsFiles } from './stored-files.ts';

/** Up to a limit of all files of a call it travels inside the call, else the evidence store has it. */
export type KeptPlace =
  | { readonly content: Buffer; readonly object?: undefined }
  | { readonly object: EvidenceEntry; readonly content?: undefined };

/** The ciphertext of one file: in memory, or on its way into the evidence store. */
export interface KeptFile {
  /** The piece must not change any more. */
  write(piece: Buffer): void;
  /** No more comes. */
  end(): void;
  /** Where it is now that it has ended. @throws AppError SERVICE_UNAVAILABLE where it could not be stored */
  place(): Promise<KeptPlace>;
  /** Lets go of what is in memory. What is in the evidence store already stays there, for intake's sweep. */
  discard(): void;
}

/** The files of one call. */
export interface FileKeeper {
  open(): KeptFile;
  /** What is in memory now, bytes. */
  heldBytes(): number;
  /**
   * What to wait for before more is written; undefined while the evidence store keeps up.
   * @throws AppError SERVICE_UNAVAILABLE once it is known that a file cannot be stored
   */
  pause(): Promise<void> | undefined;
}

/** Up to here the files of a call travel inside it: the evidence store costs a third of the rate of registrations. */
const maxInlineBytes = 256 * 1024;
/** Of one call, sent and not yet acknowledged: enough to keep the store busy, little enough for many calls at once. */
const maxUnderWayBytes = 512 * 1024;

/**
 * Keeps files in memory until they come to more than a call carries; from then on all of them go into the object
 * store while they arrive. Nothing refers to them before intake has kept their entries, and the gateway has no right to
 * remove them: whatever becomes of the call, intake sweeps what no row names.
 */
export function createFileKeeper(
  openUpload: () => EvidenceUpload,
  stored: Pick<CallsFiles, 'add'>,
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
  };
}

interface MovableFile extends KeptFile {
  /** From memory to the evidence store, with all that is still to come. */
  move(): void;
  upload(): EvidenceUpload | undefined;
  heldBytes(): number;
}

function movableFile(openUpload: () => EvidenceUpload, count: (bytes: number) => void): MovableFile {
  let pieces: Buffer[] = [];
  let pieceBytes = 0;
  let upload: EvidenceUpload | undefined;
  let isEnded = false;
  let isGone = false;
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
      return { object: await upload.finish().catch(refuse) };
    },
    discard() {
      isGone = true;
      release();
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
  };
}

/** Nothing was registered yet, so the whole call may come again. */
function refuse(cause: unknown): never {
  throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause, retryAfterSeconds: 2 });
}

const droppedFile: KeptFile = {
  write: () => undefined,
  end: () => undefined,
  place: () => Promise.reject(new Error('A file that was dropped cannot be handed on')),
  discard: () => undefined,
};

/** For files that are looked at and not kept. */
export const droppingKeeper: FileKeeper = {
  open: () => droppedFile,
  heldBytes: () => 0,
  pause: () => undefined,
};
