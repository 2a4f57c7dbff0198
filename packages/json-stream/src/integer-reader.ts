/** Receives decoded bytes. It must finish with the block before it returns: the memory is reused. */
export type WriteBlock = (block: Uint8Array) => void;

export interface IntegerReader {
  /**
   * Reads integers of -128…255 with their commas until the array ends, the chunk ends, or a less simple value comes. It
   * starts and ends at the start of an element.
   * @returns index of the first byte that was not read
   */
  run(chunk: Uint8Array, from: number, to: number): number;
  /** Adds one value that was read elsewhere. */
  add(value: number): void;
  /** Writes the remaining bytes. */
  flush(): void;
  /** Counts the integers. */
  count(): number;
}

const comma = 0x2c;
const minus = 0x2d;
const space = 0x20;
const zero = 0x30;
/** Length of the longest element with its comma: `-128,`. */
const maxElementBytes = 5;

/**
 * Creates the decoder's inner loop: whole elements, no number object, no allocation. It is one closure, because calls
 * between functions with shared state cost time for every byte.
 */
export function createIntegerReader(write: WriteBlock, blockBytes = 64 * 1024): IntegerReader {
  const block = new Uint8Array(blockBytes);
  let filled = 0;
  let written = 0;

  const flush = () => {
    if (filled > 0) write(block.subarray(0, filled));
    written += filled;
    filled = 0;
  };

  /** Reads whole elements of `chunk`, at most until the block is full. */
  const fill = (chunk: Uint8Array, from: number, to: number): number => {
    const last = to - maxElementBytes;
    let at = from;
    let out = filled;
    while (at <= last && out < blockBytes) {
      const first = chunk[at] as number;
      let next = at;
      let isNegative = false;
      let digit = first - zero;
      if (digit < 0) {
        if (first === space) {
          at += 1;
          continue;
        }
        if (first !== minus) break;
        isNegative = true;
        next += 1;
        digit = (chunk[next] as number) - zero;
        if (digit < 0) break;
      }
      if (digit > 9) break;
      let value = digit;
      let byte = chunk[next + 1] as number;
      if (byte !== comma) {
        digit = byte - zero;
        // A leading zero is not JSON; the scanner reports it when it continues byte by byte.
        if (digit < 0 || digit > 9 || value === 0) break;
        value = value * 10 + digit;
        byte = chunk[next + 2] as number;
        if (byte !== comma) {
          digit = byte - zero;
          if (digit < 0 || digit > 9 || chunk[next + 3] !== comma) break;
          value = value * 10 + digit;
          if (value > 255) break;
          next += 1;
        }
        next += 1;
      }
      if (isNegative) {
        if (value > 128) break;
        value = -value;
      }
      block[out] = value;
      out += 1;
      at = next + 2;
    }
    filled = out;
    return at;
  };

  return {
    run(chunk, from, to) {
      for (let at = from; ; ) {
        at = fill(chunk, at, to);
        if (filled < blockBytes) return at;
        flush();
      }
    },
    add(value) {
      block[filled] = value;
      filled += 1;
      if (filled === blockBytes) flush();
    },
    flush,
    count: () => written + filled,
  };
}
