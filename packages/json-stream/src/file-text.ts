import { createBase64Reader } from './base64-reader.ts';
import { withoutDataPrefix } from './decode-text.ts';
import type { WriteBlock } from './integer-reader.ts';
import { assertNoControl } from './no-control.ts';

/** Texts up to here are kept whole and decoded like any other value; only longer ones are worth a stream. */
const maxShortBytes = 8 * 1024;

/** A JSON string that may be base64 of megabytes, with or without a `data:` prefix; in pieces, as it was sent. */
export interface FileText {
  /** A piece without escapes. @throws JsonStreamError NOT_JSON for a control character */
  plain(bytes: Buffer): void;
  /** A piece with escapes, each complete. @throws JsonStreamError NOT_JSON for a control character */
  escaped(bytes: Buffer): void;
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
  let hasEscapes = false;
  let isSound = true;

  /** @returns false where there may be more than base64 characters */
  const flush = (): boolean => {
    const isClean = base64.push(gathered);
    gathered = '';
    return isClean;
  };

  /**
   * It is too long to be kept: what there is so far begins the stream.
   * @returns false where there may be more than base64 characters, as in a prefix
   */
  const begin = (text: string): boolean => {
    raw = undefined;
    const body = withoutDataPrefix(text);
    isSound = body !== undefined;
    gathered = body ?? '';
    return isSound && flush() && body === text;
  };

  const keep = (bytes: Buffer) => {
    raw?.push(Buffer.from(bytes));
    rawBytes += bytes.length;
    if (raw !== undefined && rawBytes > maxShortBytes) begin(readString(Buffer.concat(raw, rawBytes)));
  };

  /** @returns false where it may hold a control character */
  const stream = (bytes: Buffer): boolean => {
    if (!isSound) return false;
    gathered += bytes.toString('latin1');
    return gathered.length < gatheredLength ? false : flush();
  };

  return {
    plain(bytes) {
      // Base64 holds no control character: what is long is looked through only where it is something else.
      if (raw === undefined) {
        if (!stream(bytes)) assertNoControl(bytes);
      } else if (!hasEscapes && rawBytes + bytes.length > maxShortBytes) {
        if (!begin(Buffer.concat([...raw, bytes]).toString('utf8'))) assertNoControl(bytes);
      } else {
        assertNoControl(bytes);
        keep(bytes);
      }
    },
    escaped(bytes) {
      hasEscapes = true;
      assertNoControl(bytes);
      if (raw !== undefined) keep(bytes);
      else if (isSound) gathered += readString(bytes);
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
