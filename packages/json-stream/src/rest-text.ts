/** Collects the bytes of a document without its files, up to a limit. */
export interface RestText {
  byte(value: number): void;
  bytes(values: Uint8Array): void;
  size(): number;
  take(): Buffer;
}

export function createRestText(): RestText {
  let block = Buffer.allocUnsafe(4 * 1024);
  let size = 0;
  const reserve = (more: number) => {
    if (size + more <= block.length) return;
    const larger = Buffer.allocUnsafe(Math.max(block.length * 2, size + more));
    block.copy(larger, 0, 0, size);
    block = larger;
  };
  return {
    byte(value) {
      reserve(1);
      block[size] = value;
      size += 1;
    },
    bytes(values) {
      reserve(values.length);
      block.set(values, size);
      size += values.length;
    },
    size: () => size,
    take: () => block.subarray(0, size),
  };
}
