import type { FileToCheck } from '../file-checker.ts';
import type { FileLimits } from '../limits.ts';

const headBytes = 4;
/** Largest part of a message: more than any file that the gateway accepts. */
const maxPartBytes = 65 * 1024 * 1024;

/**
 * Returns the parts of a message that asks for a check: its limits, then its bytes, each after its length in
 * four bytes.
 */
export function toFrames({ file, limits }: FileToCheck): Uint8Array[] {
  return [Buffer.from(JSON.stringify(limits)), file].flatMap((part) => [encodeLength(part), part]);
}

function encodeLength(part: Uint8Array): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(part.length);
  return head;
}

/** Reads the files of a stream, one after the other. @throws Error if a part is larger than any file */
export async function* readFiles(
  stream: AsyncIterable<Buffer>,
): AsyncGenerator<FileToCheck & { file: Buffer }> {
  let limits: FileLimits | undefined;
  for await (const part of readParts(stream)) {
    if (limits === undefined) limits = JSON.parse(part.toString('utf8')) as FileLimits;
    else {
      yield { file: part, limits };
      limits = undefined;
    }
  }
}

async function* readParts(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let usedBytes = 0;
  let partBytes: number | undefined;
  for await (const piece of stream) {
    pieces.push(piece);
    usedBytes += piece.length;
    for (;;) {
      const neededBytes: number = partBytes ?? headBytes;
      if (usedBytes < neededBytes) break;
      const whole: Buffer = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, usedBytes);
      const part = whole.subarray(0, neededBytes);
      pieces = [whole.subarray(neededBytes)];
      usedBytes -= neededBytes;
      if (partBytes !== undefined) {
        partBytes = undefined;
        yield part;
        continue;
      }
      partBytes = part.readUInt32BE(0);
      if (partBytes > maxPartBytes) throw new Error(`a part of ${partBytes} bytes is larger than any file`);
    }
  }
}
