import { JsonStreamError } from './errors.ts';

/** Throws for control characters, which a string may only contain as escapes (RFC 8259 §7). */
export function assertNoControl(bytes: Uint8Array): void {
  for (let index = 0; index < bytes.length; index += 1) {
    if ((bytes[index] as number) < 0x20) throw new JsonStreamError('NOT_JSON');
  }
}
