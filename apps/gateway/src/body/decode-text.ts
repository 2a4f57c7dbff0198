const dataPrefix = /^\s*data:[^,]{0,200},/i;

/**
 * Turns a text into bytes: base64 (RFC 4648), standard or URL-safe, padded or not, with or without a `data:` prefix,
 * broken into lines or not.
 * @returns undefined where it is something else, or nothing
 */
export function decodeText(text: string): Buffer | undefined {
  const prefix = dataPrefix.exec(text)?.[0] ?? '';
  if (prefix !== '' && !/;\s*base64\s*,$/i.test(prefix)) return undefined;
  const body = text.slice(prefix.length);
  return decodeBase64(body.replace(/[\r\n\t ]+/g, ''));
}

/** Node skips what is not base64, which makes the result shorter than the text's length says. */
function decodeBase64(text: string): Buffer | undefined {
  let length = text.length;
  if (length % 4 === 0 && text.endsWith('=')) length -= text.endsWith('==') ? 2 : 1;
  if (length === 0 || length % 4 === 1) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === Math.floor((length * 3) / 4) ? bytes : undefined;
}
