import { isAscii } from 'node:buffer';

/** Checks UTF-8 (RFC 3629) that arrives in pieces. */
export interface Utf8Check {
  /** Checks bytes; false once one cannot belong to UTF-8. */
  push(bytes: Uint8Array): boolean;
  /** Checks if a character is still incomplete. */
  isOpen(): boolean;
}

export function createUtf8Check(): Utf8Check {
  /** Continuation bytes that are still due, and the range of the next: the second byte of some is narrower. */
  let missingBytes = 0;
  let minByte = 0x80;
  let maxByte = 0xbf;

  const step = (byte: number): boolean => {
    if (missingBytes > 0) {
      if (byte < minByte || byte > maxByte) return false;
      missingBytes -= 1;
      minByte = 0x80;
      maxByte = 0xbf;
      return true;
    }
    if (byte < 0x80) return true;
    if (byte < 0xc2 || byte > 0xf4) return false;
    missingBytes = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    // Excludes overlong forms, surrogates, and code points beyond U+10FFFF.
    if (byte === 0xe0) minByte = 0xa0;
    else if (byte === 0xed) maxByte = 0x9f;
    else if (byte === 0xf0) minByte = 0x90;
    else if (byte === 0xf4) maxByte = 0x8f;
    return true;
  };

  return {
    push(bytes) {
      if (missingBytes === 0 && isAscii(bytes)) return true;
      for (let index = 0; index < bytes.length; index += 1) {
        if (!step(bytes[index] as number)) return false;
      }
      return true;
    },
    isOpen: () => missingBytes > 0,
  };
}
