import type { FileValue } from './body.ts';

const dataPrefix = /^\s*data:[^,]{0,200},/i;

/** Turns a file field into bytes: base64 (standard or URL-safe, with or without `data:`), or an array of integers. */
export function decodeFile(value: unknown, maxBytes: number): FileValue {
  if (typeof value === 'string') return decodeText(value, maxBytes);
  if (Array.isArray(value)) return decodeIntegers(value, maxBytes);
  return { kind: 'not-a-file' };
}

function decodeText(text: string, maxBytes: number): FileValue {
  const prefix = dataPrefix.exec(text)?.[0] ?? '';
  if (prefix !== '' && !/;\s*base64\s*,$/i.test(prefix)) return { kind: 'undecodable' };
  const body = prefix === '' ? text : text.slice(prefix.length);
  // Line breaks (RFC 2045) add at most one in 32.
  if (body.length > Math.ceil((maxBytes * 4) / 3) * 1.05 + 8) return { kind: 'too-large' };
  const bytes = decodeBase64(body) ?? decodeBase64(body.replace(/[\r\n\t ]+/g, ''));
  if (bytes === undefined) return { kind: 'undecodable' };
  return bytes.length > maxBytes ? { kind: 'too-large' } : { kind: 'bytes', bytes };
}

/**
 * Node skips what is not base64, which makes the result shorter than the text's length says: comparing the two
 * finds any such character without looking at the text once more.
 */
function decodeBase64(text: string): Buffer | undefined {
  let length = text.length;
  if (length % 4 === 0 && text.endsWith('=')) length -= text.endsWith('==') ? 2 : 1;
  if (length === 0 || length % 4 === 1) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === Math.floor((length * 3) / 4) ? bytes : undefined;
}

function decodeIntegers(values: readonly unknown[], maxBytes: number): FileValue {
  if (values.length > maxBytes) return { kind: 'too-large' };
  if (values.length === 0) return { kind: 'undecodable' };
  const bytes = Buffer.allocUnsafe(values.length);
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (!Number.isInteger(value) || (value as number) < -128 || (value as number) > 255)
      return { kind: 'undecodable' };
    bytes[index] = value as number;
  }
  return { kind: 'bytes', bytes };
}
