const dataPrefix = /^\s*data:[^,]{0,200},/i;
/** What base64 may be broken by. */
export const whiteSpace = /[\r\n\t ]+/g;

/**
 * Turns a text into bytes: base64 (RFC 4648), standard or URL-safe, padded or not, with or without a `data:` prefix,
 * broken into lines or not.
 * @returns undefined where it is something else, or nothing
 */
export function decodeText(text: string): Buffer | undefined {
  const body = withoutDataPrefix(text);
  return body === undefined ? undefined : decodeBase64(body.replace(whiteSpace, ''));
}

/** What follows a `data:` prefix, if there is one. @returns undefined where the prefix says that it is no base64 */
export function withoutDataPrefix(text: string): string | undefined {
  const prefix = dataPrefix.exec(text)?.[0] ?? '';
  return prefix === '' || /;\s*base64\s*,$/i.test(prefix) ? text.slice(prefix.length) : undefined;
}

/**
 * Base64 without white space, complete. Node skips what is not base64, which makes the result shorter than the
 * text's length says.
 */
export function decodeBase64(text: string): Buffer | undefined {
  let length = text.length;
  if (length % 4 === 0 && text.endsWith('=')) length -= text.endsWith('==') ? 2 : 1;
  if (length === 0 || length % 4 === 1) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === Math.floor((length * 3) / 4) ? bytes : undefined;
}
