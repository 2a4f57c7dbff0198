import { isAscii } from 'node:buffer';

/** Checks UTF-8 (RFC 3629) that arrives in pieces. */
export interface Utf8Check {
  /** False once a byte cannot belong to UTF-8. */
  push(bytes: Uint8Array): boolean;
  /** Whether a character is still incomplete. */
  isOpen(): boolean;
}

export function createUtf8Check(): Utf8Check {
  /** Continuation bytes that are still due, and the range of the next: the second byte of some is narrower. */
  let due = 0;
  let least = 0x80;
  let most = 0xbf;

  const step = (byte: number): boolean => {
    if (due > 0) {
      if (byte < least || byte > most) return false;
      due -= 1;
      least = 0x80;
      most = 0xbf;
      return true;
    }
    if (byte < 0x80) return true;
    if (byte < 0xc2 || byte > 0xf4) return false;
    due = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    // Overlong forms, surrogates, and what lies beyond U+10FFFF.
    if (byte === 0xe0) least = 0xa0;
    else if (byte === 0xed) most = 0x9f;
    else if (byte === 0xf0) least = 0x90;
    else if (byte === 0xf4) most = 0x8f;
    return true;
  };

  return {
    push(bytes) {
      if (due === 0 && isAscii(bytes)) return true;
      for (let index = 0; index < bytes.length; index += 1) {
        if (!step(bytes[index] as number)) return false;
      }
      return true;
    },
    isOpen: () => due > 0,
  };
}
