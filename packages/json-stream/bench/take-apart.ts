import { closeSync, openSync, readSync } from 'node:fs';
import { argv } from 'node:process';
import { z } from 'zod';
import { collectingSink } from '../src/decode-document.ts';
import { createJsonDecoder, releaseMemory } from '../src/index.ts';
import { ways } from './documents.ts';

/** Cost of one method of decoding a document, in its own process. */
export interface Cost {
  readonly decodedBytes: number;
  readonly milliseconds: number;
  /** Peak memory of the process minus its memory before the first document, in bytes. */
  readonly peakBytes: number;
}

const chunkBytes = 64 * 1024;
const rounds = 5;
const binary = z.union([z.string(), z.array(z.int().min(-128).max(255))]);
const schema = z.object({ evidences: z.array(z.object({ evidenceFile: binary })) });

function decode(pieces: Iterable<Buffer>): number {
  const plan = {
    maxFieldBytes: 256 * 1024,
    maxBytesOf: () => 10_000_000,
    files: ['evidences[].evidenceFile'],
  };
  const decoder = createJsonDecoder(plan, collectingSink);
  for (const piece of pieces) {
    decoder.push(piece);
    releaseMemory(piece);
  }
  let size = 0;
  for (const file of decoder.end().files.values()) size += file.kind === 'file' ? file.file.length : 0;
  return size;
}

function parse(pieces: Iterable<Buffer>): number {
  const { evidences } = schema.parse(JSON.parse(Buffer.concat([...pieces]).toString('utf8')));
  const files = evidences.map(({ evidenceFile: file }) =>
    typeof file === 'string' ? Buffer.from(file, 'base64') : Buffer.from(file),
  );
  return files.reduce((size, { length }) => size + length, 0);
}

/** Reads pieces into new memory each, as from a socket. */
function* readPieces(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  for (;;) {
    const piece = Buffer.allocUnsafeSlow(chunkBytes);
    const size = readSync(file, piece);
    if (size === 0) break;
    yield piece.subarray(0, size);
  }
  closeSync(file);
}

function measure(way: string, path: string): Cost {
  const take = way === ways[0] ? decode : parse;
  const before = process.resourceUsage().maxRSS;
  const decodedBytes = take(readPieces(path));
  const peakBytes = (process.resourceUsage().maxRSS - before) * 1024;
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    take(readPieces(path));
    return performance.now() - start;
  });
  const milliseconds = times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] as number;
  return { decodedBytes, milliseconds, peakBytes };
}

process.send?.(measure(argv[2] as string, argv[3] as string));
process.disconnect?.();
