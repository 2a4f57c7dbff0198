/** Parameter in the form that PostgreSQL reads: text, or raw bytes. */
export type Parameter = string | Buffer | null;

/**
 * Converts a value to a parameter whose type PostgreSQL infers from its position in the statement. Dates are in UTC, a
 * list is the text of an array, an object is JSON.
 * @throws TypeError for an object without JSON, and for values without a text form
 */
export function toParameter(value: unknown): Parameter {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return asBuffer(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return arrayText(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function arrayText(values: readonly unknown[]): string {
  return `{${values.map(elementText).join(',')}}`;
}

function elementText(value: unknown): string {
  if (Array.isArray(value)) return arrayText(value);
  const parameter = toParameter(value);
  if (parameter === null) return 'NULL';
  const text = typeof parameter === 'string' ? parameter : `\\x${parameter.toString('hex')}`;
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
