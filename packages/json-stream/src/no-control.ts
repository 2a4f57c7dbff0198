import { JsonStreamError } from './errors.ts';

/** RFC 8259 §7: control characters stand in a string as escapes only. */
export function assertNoControl(bytes: Uint8Array): void {
  for (let index = 0; index < bytes.length; index += 1) {
    if ((bytes[index] as number) < 0x20) throw new JsonStreamError('NOT_JSON');
  }
}
