import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as generationContract from '@rubrica/contracts/services/schemas/generation';
import { AppError, toAppError } from '@rubrica/process';
import type { z } from 'zod';
import type { Peers } from '../peers/peers.ts';

type Piece = z.output<typeof generationContract.pkiFile>;

/** A published file with what is said of it; a large one is on disk. */
export interface PublishedFile {
  readonly content: Uint8Array | { readonly path: string };
  readonly octets: number;
  readonly mediaType: string;
  readonly etag: string;
  readonly lastModified: string | undefined;
  readonly fetchedAtMs: number;
  readonly maxAgeSeconds: number;
}

/** A larger file is kept on disk. */
const mostHeldOctets = generationContract.pkiPieceOctets;

/** A list that is signed anew while it is fetched is begun anew so often. */
const mostStarts = 3;

interface Started {
  readonly file: string;
  readonly first: Piece;
}

export interface FetchPublished {
  /** @param known what was fetched before: a large one that is still the same is not fetched again */
  fetch(file: string, known: PublishedFile | undefined): Promise<PublishedFile>;
  /** Removes what is on disk. */
  close(): Promise<void>;
}

/**
 * Fetches files of generation, at most once at a time each, piece by piece where one answer has not all of it. A large one goes
 * to disk as it comes: a CRL of a million entries is 50 MB, which neither a bus message nor this process should hold.
 */
export function createFetchPublished(peers: Pick<Peers, 'generation'>, nowMs: () => number): FetchPublished {
  const underWay = new Map<string, Promise<PublishedFile>>();
  let folder: Promise<string> | undefined;
  let count = 0;

  /** @returns false where another file took its place meanwhile */
  const eachPiece = async (
    { file, first }: Started,
    take: (bytes: Uint8Array) => unknown,
  ): Promise<boolean> => {
    let piece = first;
    let at = 0;
    while (piece.etag === first.etag && piece.content !== '') {
      const bytes = Buffer.from(piece.content, 'base64');
      await take(bytes);
      at += bytes.length;
      if (at >= first.octets) return true;
      piece = await ask(peers, { file, from: at });
    }
    return false;
  };

  const gather = async (started: Started): Promise<Uint8Array | undefined> => {
    const pieces: Uint8Array[] = [];
    return (await eachPiece(started, (bytes) => pieces.push(bytes))) ? Buffer.concat(pieces) : undefined;
  };

  const spool = async (started: Started): Promise<{ readonly path: string } | undefined> => {
    folder ??= mkdtemp(join(tmpdir(), 'rubrica-pki-'));
    count += 1;
    const path = join(await folder, `${count}-${started.file}`);
    let isWhole = false;
    try {
      await using handle = await open(path, 'wx');
      isWhole = await eachPiece(started, (bytes) => handle.writeFile(bytes));
      return isWhole ? { path } : undefined;
    } finally {
      if (!isWhole) await rm(path, { force: true });
    }
  };

  /** Behind its end there is nothing but what is said of it. */
  const unchanged = async (file: string, known: PublishedFile): Promise<PublishedFile | undefined> => {
    const now = await ask(peers, { file, from: known.octets });
    return quoted(now.etag) === known.etag ? toPublished(now, known.content, nowMs()) : undefined;
  };

  const fetchOne = async (file: string, known: PublishedFile | undefined): Promise<PublishedFile> => {
    const same = known && 'path' in known.content ? await unchanged(file, known) : undefined;
    if (same !== undefined) return same;
    for (let start = 1; start <= mostStarts; start += 1) {
      const first = await ask(peers, { file, from: 0 });
      const keep = first.octets > mostHeldOctets ? spool : gather;
      const content = await keep({ file, first });
      if (content !== undefined) return toPublished(first, content, nowMs());
    }
    throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
  };

  return {
    fetch(file, known) {
      const other = underWay.get(file);
      if (other !== undefined) return other;
      const fetching = fetchOne(file, known).finally(() => underWay.delete(file));
      underWay.set(file, fetching);
      return fetching;
    },
    async close() {
      if (folder !== undefined) await rm(await folder, { recursive: true, force: true });
    },
  };
}

function quoted(etag: string): string {
  return /^(W\/)?".*"$/.test(etag) ? etag : `"${etag}"`;
}

async function ask(peers: Pick<Peers, 'generation'>, piece: { file: string; from: number }): Promise<Piece> {
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
    etag: quoted(etag),
    lastModified: lastModified && new Date(lastModified).toUTCString(),
    fetchedAtMs,
    maxAgeSeconds,
  };
}
