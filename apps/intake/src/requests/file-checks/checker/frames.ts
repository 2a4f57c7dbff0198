import type { FileToCheck } from '../file-checker.ts';
import type { FileLimits } from '../limits.ts';

const headBytes = 4;
/** Largest part of a message: more than any file that the gateway takes. */
const maxPartBytes = 65 * 1024 * 1024;

/** Parts of a message that asks for a check: its limits, then its bytes, each after its length in four bytes. */
export function toFrames({ file, limits }: FileToCheck): Uint8Array[] {
  return [Buffer.from(JSON.stringify(limits)), file].flatMap((part) => [headFor(part), part]);
}

function headFor(part: Uint8Array): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(part.length);
  return head;
}

/** Reads the files of a stream, one after the other. @throws Error where a part is larger than any file */
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
  let held: Buffer[] = [];
  let usedBytes = 0;
  let wanted: number | undefined;
  for await (const piece of stream) {
    held.push(piece);
    usedBytes += piece.length;
    for (;;) {
      const needed: number = wanted ?? headBytes;
      if (usedBytes < needed) break;
      const whole: Buffer = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held, usedBytes);
      const part = whole.subarray(0, needed);
      held = [whole.subarray(needed)];
      usedBytes -= needed;
      if (wanted !== undefined) {
        wanted = undefined;
        yield part;
        continue;
      }
      wanted = part.readUInt32BE(0);
      if (wanted > maxPartBytes) throw new Error(`a part of ${wanted} bytes is larger than any file`);
    }
  }
}
