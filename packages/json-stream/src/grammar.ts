/** States of a scanner: the tokens that may come next, or the progress inside a token. */
export const at = {
  value: 0,
  elementOrEnd: 1,
  keyOrEnd: 2,
  key: 3,
  colon: 4,
  afterValue: 5,
  end: 6,
  string: 7,
  escape: 8,
  literal: 9,
  numberMinus: 10,
  numberZero: 11,
  numberInteger: 12,
  numberDot: 13,
  numberFraction: 14,
  numberExponent: 15,
  numberSign: 16,
  numberPower: 17,
} as const;

function isDigit(byte: number) {
  return byte >= 0x30 && byte <= 0x39;
}

function isExponent(byte: number) {
  return byte === 0x65 || byte === 0x45;
}

/**
 * Advances a number of RFC 8259 §6 by one byte.
 * @returns the next state, or -1 if the byte does not belong to the number
 */
export function nextInNumber(state: number, byte: number): number {
  switch (state) {
    case at.numberMinus:
      if (byte === 0x30) return at.numberZero;
      return isDigit(byte) ? at.numberInteger : -1;
    case at.numberZero:
    case at.numberInteger:
      if (byte === 0x2e) return at.numberDot;
      if (isExponent(byte)) return at.numberExponent;
      return state === at.numberInteger && isDigit(byte) ? state : -1;
    case at.numberFraction:
      if (isExponent(byte)) return at.numberExponent;
      return isDigit(byte) ? state : -1;
    case at.numberDot:
      return isDigit(byte) ? at.numberFraction : -1;
    case at.numberExponent:
      if (byte === 0x2b || byte === 0x2d) return at.numberSign;
      return isDigit(byte) ? at.numberPower : -1;
    default:
      return isDigit(byte) ? at.numberPower : -1;
  }
}

/** Checks if a number may end in this state. */
export function isWholeNumber(state: number): boolean {
  return (
    state === at.numberZero ||
    state === at.numberInteger ||
    state === at.numberFraction ||
    state === at.numberPower
  );
}

export const literals: Readonly<Record<number, string>> = { 116: 'true', 102: 'false', 110: 'null' };

export function isWhiteSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

const simpleEscapes = createByteFlags('"\\/bfnrt');
const hexDigits = createByteFlags('0123456789abcdefABCDEF');

/** Creates one flag per byte, which is faster than a lookup in a set. */
function createByteFlags(characters: string): Uint8Array {
  const flags = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) flags[byte] = 1;
  return flags;
}

/** Checks for an escape of one byte after its backslash. */
export function isSimpleEscape(byte: number | undefined): boolean {
  return byte !== undefined && simpleEscapes[byte] === 1;
}

export function isHexDigit(byte: number | undefined): boolean {
  return byte !== undefined && hexDigits[byte] === 1;
}

/**
 * Checks an escape read so far, without its backslash.
 * @returns true if it is complete; undefined if it is invalid
 */
export function isWholeEscape(text: string): boolean | undefined {
  if (text[0] !== 'u') return isSimpleEscape(text.charCodeAt(0)) ? true : undefined;
  if (!/^u[0-9A-Fa-f]{0,4}$/.test(text)) return undefined;
  return text.length === 5;
}

/** Checks for digits, `-`, `,` and white space: the characters of an array of bytes, of any length. */
export function isPartOfIntegers(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2c || byte === 0x2d || byte <= 0x20;
}
