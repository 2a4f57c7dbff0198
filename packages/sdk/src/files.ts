/** File content: bytes, a Blob or File, or text that is base64 already. */
export type FileContent = string | Uint8Array | ArrayBuffer | Blob;

/** Encodes every file in the input of a call as base64, the form in which files are sent. */
export async function withFilesEncoded(value: unknown): Promise<unknown> {
  if (value instanceof Uint8Array) return toBase64(value);
  if (value instanceof ArrayBuffer) return toBase64(new Uint8Array(value));
  if (value instanceof Blob) return toBase64(new Uint8Array(await value.arrayBuffer()));
  if (Array.isArray(value)) return Promise.all(value.map(withFilesEncoded));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).map(async ([name, item]) => [name, await withFilesEncoded(item)]);
  return Object.fromEntries(await Promise.all(entries));
}

/** A whole number of triples, so that the parts can be joined; few enough bytes to be arguments of one call. */
const chunkBytes = 3 * 8_192;

/** Encodes standard base64 without `Buffer`, which browsers and edge runtimes do not have. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + chunkBytes))));
  }
  return parts.join('');
}

/**
 * Decodes base64. @internal Not part of the declarations: compilers before 2025 have no `Uint8Array<…>`.
 * @throws Error if the text is not base64
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
