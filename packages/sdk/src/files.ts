/** A file as a program has it: bytes, a Blob or File, or text that is base64 already. */
export type FileContent = string | Uint8Array | ArrayBuffer | Blob;

/** The input of a call with every file in it as base64, which is how files travel. */
export async function withFilesEncoded(value: unknown): Promise<unknown> {
  if (value instanceof Uint8Array) return toBase64(value);
  if (value instanceof ArrayBuffer) return toBase64(new Uint8Array(value));
  if (value instanceof Blob) return toBase64(new Uint8Array(await value.arrayBuffer()));
  if (Array.isArray(value)) return Promise.all(value.map(withFilesEncoded));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).map(async ([name, one]) => [name, await withFilesEncoded(one)]);
  return Object.fromEntries(await Promise.all(entries));
}

/** A whole number of triples, so that the parts can be joined; few enough bytes to be arguments of one call. */
const chunkBytes = 3 * 8_192;

/** Standard base64 without `Buffer`, which browsers and edge runtimes do not have. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + chunkBytes))));
  }
  return parts.join('');
}

/**
 * @internal No part of the declarations: compilers of before 2025 have no `Uint8Array<…>`.
 * @throws Error where the text is no base64
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
