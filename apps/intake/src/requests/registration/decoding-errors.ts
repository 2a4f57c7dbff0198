/** Windows-1252 of the bytes 0x80 to 0xBF, which follow the first byte of a letter in UTF-8. */
const laterBytes = new TextDecoder('windows-1252').decode(
  Uint8Array.from({ length: 0x40 }, (_, index) => 0x80 + index),
);
const laterPattern = `[${laterBytes.replaceAll(/[\]\\^-]/g, '\\$&')}]`;

/** Mac OS Roman of the bytes 0xC2 to 0xC5, with which Latin letters begin in UTF-8. */
const macFirst = new TextDecoder('macintosh').decode(Uint8Array.of(0xc2, 0xc3, 0xc4, 0xc5));
const macLater = new TextDecoder('macintosh').decode(
  Uint8Array.from({ length: 0x40 }, (_, index) => 0x80 + index),
);

/**
 * Traces of text that was read in another encoding than it was written in, or escaped once too often. Each is
 * so particular that no name, company or address of Ecuador has it: two capital letters with a tilde are no
 * trace.
 */
const traces: readonly RegExp[] = [
  // UTF-8 as Windows-1252: the first byte of a Latin letter, then a sign.
  new RegExp(`[ÂÃÄÅ]${laterPattern}`, 'u'),
  new RegExp(`â${laterPattern}{1,2}`, 'u'),
  // UTF-8 as Mac OS Roman.
  new RegExp(`[${macFirst}][${macLater}]|‚Ä.`, 'u'),
  // UTF-8 or Windows-1252 as a code page of DOS: lines of boxes, and the sign of currency.
  /[\u2500-\u259f]+|¤/u,
  /&(?:#\d{1,7}|#[xX][\dA-Fa-f]{1,6}|[A-Za-z]{2,8}\d{0,2});/,
  /\\u[\dA-Fa-f]{4}/,
  /[%=](?:C[2-5]|E2)[%=][89AB][\dA-F]/i,
  // A letter that the sender's encoding did not have.
  /(?<=\p{L})\?|\?(?=\p{L})/u,
];

/** Finds the first part of a text that looks like a decoding error; it reveals nothing of the rest. */
export function findDecodingError(text: string): string | undefined {
  for (const trace of traces) {
    const [part] = trace.exec(text) ?? [];
    if (part !== undefined) return part;
  }
  return undefined;
}
