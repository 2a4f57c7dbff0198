const lengthBytes = 4;
const nothing = new Uint8Array(0);

/** Header block and body of a message: its sealed content. */
export interface MessageContent {
  /** Empty for none. */
  readonly block: Uint8Array;
  readonly body: Uint8Array;
}

/** Packs the content: length of the header block in 4 bytes, the block, the body. */
export function packContent({ block, body }: MessageContent): readonly Uint8Array[] {
  const length = Buffer.allocUnsafe(lengthBytes);
  length.writeUInt32BE(block.length);
  return [length, block, body];
}

/**
 * Unpacks the content.
 * @throws TypeError if it does not have that form
 */
export function unpackContent(bytes: Uint8Array): MessageContent {
  if (bytes.length < lengthBytes) throw malformed();
  const end = lengthBytes + Buffer.from(bytes.buffer, bytes.byteOffset, lengthBytes).readUInt32BE();
  if (end > bytes.length) throw malformed();
  return {
    block: end === lengthBytes ? nothing : bytes.subarray(lengthBytes, end),
    body: bytes.subarray(end),
  };
}

function malformed(): TypeError {
  return new TypeError('the content of a sealed message is malformed');
}
