/** A file on its way to the checker: its length in four bytes, then its bytes. */
export function frameHead(file: Uint8Array): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(file.length);
  return head;
}

const headBytes = 4;

/** The files of a stream, one after the other. */
export async function* framesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
      if (wanted === undefined) wanted = part.readUInt32BE(0);
      else {
        wanted = undefined;
        yield part;
      }
    }
  }
}
