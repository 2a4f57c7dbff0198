export interface Chunker {
  push(piece: Uint8Array): void;
  /** Hands over what is left. */
  end(): void;
  /** Bytes that wait for a chunk to be full. */
  heldBytes(): number;
}

/** Told of bytes that are not read any more, by whoever may give their memory to something else. */
export type Spent = (bytes: Uint8Array) => void;

/**
 * Cuts pieces into chunks of exactly `size`, but for the last. Pieces that fit whole are not copied.
 * @param spent is told of each piece that was copied whole
 */
export function createChunker(size: number, take: (chunk: Uint8Array) => void, spent?: Spent): Chunker {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  /** Pieces whose last part is held, and of which no chunk is a part. */
  let ended: Uint8Array[] = [];
  const flush = (): boolean => {
    const isCopied = held.length > 1;
    const chunk = isCopied ? Buffer.concat(held, heldBytes) : (held[0] as Uint8Array);
    if (isCopied && spent !== undefined) for (const piece of ended) spent(piece);
    held = [];
    ended = [];
    heldBytes = 0;
    take(chunk);
    return isCopied;
  };
  return {
    push(piece) {
      let rest = piece;
      let isShared = false;
      while (rest.length > 0) {
        const part = rest.subarray(0, size - heldBytes);
        held.push(part);
        heldBytes += part.length;
        rest = rest.subarray(part.length);
        if (rest.length === 0 && !isShared) ended.push(piece);
        if (heldBytes === size && !flush()) isShared = true;
      }
    },
    end() {
      if (heldBytes > 0) flush();
    },
    heldBytes: () => heldBytes,
  };
}
