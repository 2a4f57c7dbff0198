const dataPrefix = /^\s*data:[^,]{0,200},/i;
/** Characters that may separate base64. */
export const whiteSpace = /[\r\n\t ]+/g;

/**
 * Decodes a text into bytes: base64 (RFC 4648), standard or URL-safe, padded or not, with or without a `data:` prefix,
 * with or without line breaks.
 * @returns undefined if it is anything else, or empty
 */
export function decodeText(text: string): Buffer | undefined {
  const body = withoutDataPrefix(text);
  return body === undefined ? undefined : decodeBase64(body.replace(whiteSpace, ''));
}

/**
 * Removes a `data:` prefix, if there is one.
 * @returns undefined if the prefix does not declare base64
 */
export function withoutDataPrefix(text: string): string | undefined {
  const prefix = dataPrefix.exec(text)?.[0] ?? '';
  return prefix === '' || /;\s*base64\s*,$/i.test(prefix) ? text.slice(prefix.length) : undefined;
}

/**
 * Decodes complete base64 without white space. Node skips other characters, which makes the result shorter than the
 * text's length implies.
 */
export function decodeBase64(text: string): Buffer | undefined {
  let length = text.length;
  if (length % 4 === 0 && text.endsWith('=')) length -= text.endsWith('==') ? 2 : 1;
  if (length === 0 || length % 4 === 1) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === Math.floor((length * 3) / 4) ? bytes : undefined;
}
