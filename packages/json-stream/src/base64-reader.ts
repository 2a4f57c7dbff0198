import { decodeBase64, whiteSpace } from './decode-text.ts';
import type { WriteBlock } from './integer-reader.ts';

export interface Base64Reader {
  /**
   * Anything that is not base64 but white space makes the whole undecodable.
   * @returns false where something else than base64 characters was among it, or may still be found in its last four
   */
  push(text: string): boolean;
  /** @returns whether all of it was base64 */
  end(): boolean;
}

/**
 * Base64 (RFC 4648, standard or URL-safe, padded or not) that arrives in pieces. The runtime's own decoder does the
 * work on whole groups of four; it skips what is not base64, which makes the result too short.
 */
export function createBase64Reader(write: WriteBlock): Base64Reader {
  /** The last one to four characters: only at the end it is known whether they are padding. */
  let held = '';
  let isSound = true;

  const decode = (text: string): boolean => {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.length !== (text.length / 4) * 3) return false;
    if (bytes.length > 0) write(bytes);
    return true;
  };

  /** Decodes all but the last group and holds that. */
  const take = (text: string): boolean => {
    const whole = Math.max(0, (text.length - 1) & ~3);
    if (whole > 0 && !decode(text.slice(0, whole))) return false;
    held = text.slice(whole);
    return true;
  };

  return {
    push(text) {
      if (!isSound) return false;
      const all = held + text;
      if (take(all)) return isPlain(held);
      isSound = take(all.replace(whiteSpace, ''));
      return false;
    },
    end() {
      const bytes = isSound ? decodeBase64(held.replace(whiteSpace, '')) : undefined;
      if (bytes === undefined) return false;
      write(bytes);
      return true;
    },
  };
}

function isPlain(text: string): boolean {
  return /^[A-Za-z0-9+/=_-]*$/.test(text);
}
