import { decodeBase64, whiteSpace } from './decode-text.ts';
import type { WriteBlock } from './integer-reader.ts';

export interface Base64Reader {
  /**
   * Decodes a piece. Any characters except base64 and white space make the whole text undecodable.
   * @returns false if the piece contained other characters than base64, or its last four may contain some
   */
  push(text: string): boolean;
  /**
   * Ends the text.
   * @returns true if all of it was base64
   */
  end(): boolean;
}

/**
 * Decodes base64 (RFC 4648, standard or URL-safe, padded or not) that arrives in pieces. The runtime's own decoder
 * decodes whole groups of four. It skips other characters, which makes the result too short.
 */
export function createBase64Reader(write: WriteBlock): Base64Reader {
  /** The last one to four characters: only the end shows if they are padding. */
  let buffered = '';
  let isSound = true;

  const decode = (text: string): boolean => {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.length !== (text.length / 4) * 3) return false;
    if (bytes.length > 0) write(bytes);
    return true;
  };

  /** Decodes all groups except the last, and buffers that. */
  const take = (text: string): boolean => {
    const whole = Math.max(0, (text.length - 1) & ~3);
    if (whole > 0 && !decode(text.slice(0, whole))) return false;
    buffered = text.slice(whole);
    return true;
  };

  return {
    push(text) {
      if (!isSound) return false;
      const all = buffered + text;
      if (take(all)) return isPlain(buffered);
      isSound = take(all.replace(whiteSpace, ''));
      return false;
    },
    end() {
      const bytes = isSound ? decodeBase64(buffered.replace(whiteSpace, '')) : undefined;
      if (bytes === undefined) return false;
      write(bytes);
      return true;
    },
  };
}

function isPlain(text: string): boolean {
  return /^[A-Za-z0-9+/=_-]*$/.test(text);
}
