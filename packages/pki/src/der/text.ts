import { type DerNode, expectTag, Malformed } from './read.ts';
import { tags } from './write.ts';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const strictUtf16 = new TextDecoder('utf-16be', { fatal: true, ignoreBOM: true });

/** Reads text of any string type allowed in a name or a general name. */
export function readText(node: DerNode): string {
  switch (node.tag) {
    case tags.utf8String:
      return decode(strictUtf8, node.content);
    case tags.bmpString:
      return decode(strictUtf16, node.content);
    case tags.printableString:
    case tags.ia5String:
      return readAscii(node.content);
    case tags.teletexString:
      return Buffer.from(node.content).toString('latin1');
    default:
      throw new Malformed('not a string type');
  }
}

function decode(decoder: typeof strictUtf8, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Malformed('text in a broken encoding');
  }
}

export function readAscii(bytes: Uint8Array): string {
  if (bytes.some((octet) => octet > 0x7f)) throw new Malformed('text that should be ASCII');
  return Buffer.from(bytes).toString('latin1');
}

/**
 * Reads the instant of a UTCTime or GeneralizedTime in the only form that RFC 5280 §4.1.2.5 allows: seconds, `Z`, no
 * fraction.
 */
export function readTime(node: DerNode): Date {
  const utc = node.tag === tags.utcTime;
  if (!utc) expectTag(node, tags.generalizedTime);
  const text = readAscii(node.content);
  const match = /^(\d{2}|\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/.exec(text);
  const [, yearDigits = '', month, day, hour, minute, second] = match ?? [];
  if (yearDigits.length !== (utc ? 2 : 4)) throw new Malformed('time not in the form YYMMDDHHMMSSZ');
  const year = utc ? (Number(yearDigits) < 50 ? `20${yearDigits}` : `19${yearDigits}`) : yearDigits;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const date = new Date(iso);
  // The round trip refuses 31 February and hour 24, which Date would move to another day.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== iso)
    throw new Malformed('time that does not exist');
  return date;
}
