export interface Chunker {
  push(piece: Uint8Array): void;
  /** Hands over what is left. */
  end(): void;
  /** Bytes that wait for a chunk to be full. */
  heldBytes(): number;
}

/** Cuts pieces into chunks of exactly `size`, but for the last. Pieces that fit whole are not copied. */
export function createChunker(size: number, take: (chunk: Uint8Array) => void): Chunker {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const flush = () => {
    const chunk = held.length === 1 ? (held[0] as Uint8Array) : Buffer.concat(held, heldBytes);
    held = [];
    heldBytes = 0;
    take(chunk);
  };
  return {
    push(piece) {
      let rest = piece;
      while (rest.length > 0) {
        const part = rest.subarray(0, size - heldBytes);
        held.push(part);
        heldBytes += part.length;
        rest = rest.subarray(part.length);
        if (heldBytes === size) flush();
      }
    },
    end() {
      if (heldBytes > 0) flush();
    },
    heldBytes: () => heldBytes,
  };
}
