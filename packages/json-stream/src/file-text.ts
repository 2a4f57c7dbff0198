import { createBase64Reader } from './base64-reader.ts';
import { withoutDataPrefix } from './decode-text.ts';
import type { WriteBlock } from './integer-reader.ts';
import { assertNoControl } from './no-control.ts';

/**
 * Maximum size of texts that are buffered whole and decoded like any other value; streaming pays off only for longer
 * ones.
 */
const maxShortBytes = 8 * 1024;

/**
 * A JSON string that may contain megabytes of base64, with or without a `data:` prefix; it arrives in pieces, as sent.
 */
export interface FileText {
  /**
   * Reads a piece without escapes.
   * @throws JsonStreamError NOT_JSON for a control character
   */
  plain(bytes: Buffer): void;
  /**
   * Reads a piece with escapes, each complete.
   * @throws JsonStreamError NOT_JSON for a control character
   */
  escaped(bytes: Buffer): void;
  /**
   * Ends the text.
   * @returns the text itself if it is short; else `isSound`, which is true if it was base64. Only then `write` received
   * all of its bytes
   */
  end(): { readonly text: string } | { readonly isSound: boolean };
}

/** If an escape breaks each line, pieces are collected up to this length before they are decoded. */
const collectedLength = 16 * 1024;

export function createFileText(write: WriteBlock): FileText {
  const base64 = createBase64Reader(write);
  /** Text as sent, until it is too long to be buffered. */
  let raw: Buffer[] | undefined = [];
  let rawBytes = 0;
  let collected = '';
  let hasEscapes = false;
  let isSound = true;

  /**
   * Decodes the collected text.
   * @returns false if it may contain other characters than base64
   */
  const flush = (): boolean => {
    const isClean = base64.push(collected);
    collected = '';
    return isClean;
  };

  /**
   * Starts the stream with the text so far, which is too long to be buffered.
   * @returns false if it may contain other characters than base64, as in a prefix
   */
  const begin = (text: string): boolean => {
    raw = undefined;
    const body = withoutDataPrefix(text);
    isSound = body !== undefined;
    collected = body ?? '';
    return isSound && flush() && body === text;
  };

  const buffer = (bytes: Buffer) => {
    raw?.push(Buffer.from(bytes));
    rawBytes += bytes.length;
    if (raw !== undefined && rawBytes > maxShortBytes) begin(readString(Buffer.concat(raw, rawBytes)));
  };

  /**
   * Decodes a piece.
   * @returns false if it may contain a control character
   */
  const stream = (bytes: Buffer): boolean => {
    if (!isSound) return false;
    collected += bytes.toString('latin1');
    return collected.length < collectedLength ? false : flush();
  };

  return {
    plain(bytes) {
      // Base64 contains no control character: a long text is searched only where it is not base64.
      if (raw === undefined) {
        if (!stream(bytes)) assertNoControl(bytes);
      } else if (!hasEscapes && rawBytes + bytes.length > maxShortBytes) {
        if (!begin(Buffer.concat([...raw, bytes]).toString('utf8'))) assertNoControl(bytes);
      } else {
        assertNoControl(bytes);
        buffer(bytes);
      }
    },
    escaped(bytes) {
      hasEscapes = true;
      assertNoControl(bytes);
      if (raw !== undefined) buffer(bytes);
      else if (isSound) collected += readString(bytes);
      if (collected.length >= collectedLength) flush();
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
