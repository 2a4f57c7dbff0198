export interface Chunker {
  push(piece: Uint8Array): void;
  /** Passes on the rest. */
  end(): void;
  /** Returns the bytes that wait for a full chunk. */
  heldBytes(): number;
}

/** Called with bytes that are no longer read, so that their memory may be reused. */
export type ReleaseBytes = (bytes: Uint8Array) => void;

/**
 * Creates a chunker that cuts pieces into chunks of exactly `size`, except the last. Pieces that fit completely are not
 * copied.
 * @param spent called with each piece that was copied completely
 */
export function createChunker(
  size: number,
  take: (chunk: Uint8Array) => void,
  spent?: ReleaseBytes,
): Chunker {
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
