/** Where the bytes of an object come from. */
export type ByteSource = Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The source's bytes in chunks of exactly `size`, but for the last. Pieces that fit whole are not copied. */
export async function* inChunks(source: ByteSource, size: number): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const piece of source instanceof Uint8Array ? [source] : source) {
    let rest = piece;
    while (heldBytes + rest.length >= size) {
      const taken = rest.subarray(0, size - heldBytes);
      yield heldBytes === 0 ? taken : Buffer.concat([...held, taken], size);
      rest = rest.subarray(taken.length);
      held = [];
      heldBytes = 0;
    }
    if (rest.length === 0) continue;
    held.push(rest);
    heldBytes += rest.length;
  }
  if (heldBytes > 0) yield held.length === 1 ? (held[0] as Uint8Array) : Buffer.concat(held, heldBytes);
}
