import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as generationContract from '@rubrica/contracts/services/schemas/generation';
import { AppError, toAppError } from '@rubrica/process/errors';
import type { z } from 'zod';
import type { Peers } from '../peers/peers.ts';

type Piece = z.output<typeof generationContract.pkiFile>;

/** Published file with its headers; a large one is on disk. */
export interface PublishedFile {
  readonly content: Uint8Array | { readonly path: string };
  readonly octets: number;
  readonly mediaType: string;
  readonly etag: string;
  readonly lastModified: string | undefined;
  readonly fetchedAtMs: number;
  readonly maxAgeSeconds: number;
}

/** Maximum size in memory; a larger file is stored on disk. */
const maxMemoryBytes = generationContract.pkiPieceOctets;

/** Maximum attempts at a list that is signed again during the fetch. */
const maxAttempts = 3;

interface FetchStart {
  readonly file: string;
  readonly first: Piece;
}

export interface FetchPublished {
  /**
   * Fetches a file.
   * @param known cached version: a large one that is unchanged is not fetched again
   */
  fetch(file: string, known: PublishedFile | undefined): Promise<PublishedFile>;
  /** Removes the files on disk. */
  close(): Promise<void>;
}

/**
 * Creates the fetcher of generation's files: at most once at a time each, in pieces where one answer is too small. A
 * large file is streamed to disk: a CRL of a million entries is 50 MB, too much for a bus message or this process.
 */
export function createFetchPublished(peers: Pick<Peers, 'generation'>, nowMs: () => number): FetchPublished {
  const pending = new Map<string, Promise<PublishedFile>>();
  let folder: Promise<string> | undefined;
  let count = 0;

  /**
   * Processes each piece.
   * @returns false where another file replaced it in the meantime
   */
  const processPieces = async (
    { file, first }: FetchStart,
    process: (bytes: Uint8Array) => unknown,
  ): Promise<boolean> => {
    let piece = first;
    let at = 0;
    while (piece.etag === first.etag && piece.content !== '') {
      const bytes = Buffer.from(piece.content, 'base64');
      await process(bytes);
      at += bytes.length;
      if (at >= first.octets) return true;
      piece = await fetchPiece(peers, { file, from: at });
    }
    return false;
  };

  const readToMemory = async (started: FetchStart): Promise<Uint8Array | undefined> => {
    const pieces: Uint8Array[] = [];
    return (await processPieces(started, (bytes) => pieces.push(bytes))) ? Buffer.concat(pieces) : undefined;
  };

  const readToDisk = async (started: FetchStart): Promise<{ readonly path: string } | undefined> => {
    folder ??= mkdtemp(join(tmpdir(), 'rubrica-pki-'));
    count += 1;
    const path = join(await folder, `${count}-${started.file}`);
    let isComplete = false;
    try {
      await using handle = await open(path, 'wx');
      isComplete = await processPieces(started, (bytes) => handle.writeFile(bytes));
      return isComplete ? { path } : undefined;
    } finally {
      if (!isComplete) await rm(path, { force: true });
    }
  };

  /** A request at its end returns only the headers. */
  const findUnchanged = async (file: string, known: PublishedFile): Promise<PublishedFile | undefined> => {
    const now = await fetchPiece(peers, { file, from: known.octets });
    return quoteEtag(now.etag) === known.etag ? toPublished(now, known.content, nowMs()) : undefined;
  };

  const fetchOne = async (file: string, known: PublishedFile | undefined): Promise<PublishedFile> => {
    const unchangedFile = known && 'path' in known.content ? await findUnchanged(file, known) : undefined;
    if (unchangedFile !== undefined) return unchangedFile;
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const first = await fetchPiece(peers, { file, from: 0 });
      const read = first.octets > maxMemoryBytes ? readToDisk : readToMemory;
      const content = await read({ file, first });
      if (content !== undefined) return toPublished(first, content, nowMs());
    }
    throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
  };

  return {
    fetch(file, known) {
      const running = pending.get(file);
      if (running !== undefined) return running;
      const fetching = fetchOne(file, known).finally(() => pending.delete(file));
      pending.set(file, fetching);
      return fetching;
    },
    async close() {
      if (folder !== undefined) await rm(await folder, { recursive: true, force: true });
    },
  };
}

function quoteEtag(etag: string): string {
  return /^(W\/)?".*"$/.test(etag) ? etag : `"${etag}"`;
}

async function fetchPiece(
  peers: Pick<Peers, 'generation'>,
  piece: { file: string; from: number },
): Promise<Piece> {
  try {
    return await peers.generation['pki.file'](piece);
  } catch (error) {
    const fault = toAppError(error);
    if (fault.code !== 'CERTIFICATE_NOT_FOUND') throw fault;
    throw new AppError({ code: 'ROUTE_NOT_FOUND', cause: fault });
  }
}

function toPublished(
  { octets, mediaType, etag, maxAgeSeconds, lastModified }: Piece,
  content: PublishedFile['content'],
  fetchedAtMs: number,
): PublishedFile {
  return {
    content,
    octets,
    mediaType,
    etag: quoteEtag(etag),
    lastModified: lastModified && new Date(lastModified).toUTCString(),
    fetchedAtMs,
    maxAgeSeconds,
  };
}
