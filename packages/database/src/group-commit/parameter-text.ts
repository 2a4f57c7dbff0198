/** A parameter as PostgreSQL reads it: text, or bytes as they are. */
export type Parameter = string | Buffer | null;

/**
 * A value as a parameter of the type that its place in the statement has: dates in UTC, a list as an array's text,
 * an object as JSON.
 * @throws TypeError for an object without JSON, and what has no text
 */
export function parameterOf(value: unknown): Parameter {
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
  const parameter = parameterOf(value);
  if (parameter === null) return 'NULL';
  const text = typeof parameter === 'string' ? parameter : `\\x${parameter.toString('hex')}`;
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
