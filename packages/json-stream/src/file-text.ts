import { createBase64Reader } from './base64-reader.ts';
import { withoutDataPrefix } from './decode-text.ts';
import type { WriteBlock } from './integer-reader.ts';

/** Texts up to here are kept whole and decoded like any other value; only longer ones are worth a stream. */
const maxShortBytes = 8 * 1024;

/** A JSON string that may be base64 of megabytes, with or without a `data:` prefix; in pieces, as it was sent. */
export interface FileText {
  /** Pieces must hold no control character before this is true: they are kept as JSON. */
  isLong(): boolean;
  /**
   * A piece without escapes.
   * @returns false where it may hold more than base64 characters
   */
  plain(bytes: Buffer): boolean;
  /** One escape, complete, such as `\/` or `\u0041`. */
  escape(text: string): void;
  /**
   * @returns the text itself where it is short; else whether it was base64. Only then all of its bytes went to `write`
   */
  end(): { readonly text: string } | { readonly isSound: boolean };
}

/** Where each line is broken by an escape, pieces are gathered up to here before they are decoded. */
const gatheredLength = 16 * 1024;

export function createFileText(write: WriteBlock): FileText {
  const base64 = createBase64Reader(write);
  /** As sent, until it is too long to be kept. */
  let raw: Buffer[] | undefined = [];
  let rawBytes = 0;
  let gathered = '';
  let isSound = true;

  const flush = (): boolean => {
    const isClean = base64.push(gathered);
    gathered = '';
    return isClean;
  };

  const keep = (bytes: Buffer): boolean => {
    raw?.push(Buffer.from(bytes));
    rawBytes += bytes.length;
    if (raw === undefined || rawBytes <= maxShortBytes) return false;
    const text = readString(Buffer.concat(raw, rawBytes));
    raw = undefined;
    const body = withoutDataPrefix(text);
    isSound = body !== undefined;
    gathered = body ?? '';
    if (isSound) flush();
    return false;
  };

  return {
    isLong: () => raw === undefined,
    plain(bytes) {
      if (raw !== undefined) return keep(bytes);
      if (!isSound) return false;
      gathered += bytes.toString('latin1');
      return gathered.length < gatheredLength ? false : flush();
    },
    escape(text) {
      if (raw !== undefined) keep(Buffer.from(text));
      else if (isSound) gathered += text === '\\/' ? '/' : (JSON.parse(`"${text}"`) as string);
      if (gathered.length >= gatheredLength) flush();
    },
    end() {
      if (raw !== undefined) return { text: readString(Buffer.concat(raw, rawBytes)) };
      if (isSound) flush();
      return { isSound: isSound && base64.end() };
    },
  };
}

function readString(raw: Buffer): string {
  return JSON.parse(`"${raw.toString('utf8')}"`) as string;
}
