export type FieldsVerdict = 'fine' | 'too-large' | 'prototype-key';

/**
 * Checks the remaining fields of a document without its files: their size, and keys that would reach an object's
 * prototype. It stops at the limit, so a list of a million numbers costs no more than the limit.
 */
export function judgeFields(fields: unknown, maxBytes: number): FieldsVerdict {
  const open: unknown[] = [fields];
  let size = 0;
  for (let value = open.pop(); value !== undefined || open.length > 0; value = open.pop()) {
    if (typeof value === 'string') size += Buffer.byteLength(value) + 2;
    else if (typeof value !== 'object' || value === null) size += 4;
    else if (Array.isArray(value)) {
      if (value.length > maxBytes) return 'too-large';
      for (const item of value) open.push(item);
    } else {
      for (const key of Object.keys(value)) {
        const child = (value as Record<string, unknown>)[key];
        if (key === '__proto__' || (key === 'constructor' && hasPrototype(child))) return 'prototype-key';
        size += Buffer.byteLength(key) + 4;
        open.push(child);
      }
    }
    if (size > maxBytes) return 'too-large';
  }
  return 'fine';
}

function hasPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}
