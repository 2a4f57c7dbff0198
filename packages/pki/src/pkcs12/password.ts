import { utf16BigEndian } from '../der/write.ts';

/**
 * Converts a password to the two forms that a PKCS#12 file needs. The key derivation of the MAC and of the legacy
 * ciphers takes a BMPString with a final zero character (RFC 7292 Appendix B.1). PBES2 takes UTF-8 (RFC 8018 §6), on
 * which OpenSSL 3, NSS and GnuTLS agree. The text is never normalised: a subscriber must be able to open the file with
 * exactly what was typed.
 */
export function passwordForms(password: string): { bmp: Uint8Array; utf8: Uint8Array } {
  return { bmp: utf16BigEndian(`${password}\0`), utf8: Buffer.from(password, 'utf8') };
}
