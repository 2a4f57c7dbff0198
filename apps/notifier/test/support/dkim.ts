import { createHash, createVerify, type KeyObject } from 'node:crypto';

export type DkimResult = { valid: boolean; tags: Record<string, string>; signed: string[] };

/**
 * Verifies the DKIM signature of a mail as a receiver does (RFC 6376 §6.1.3), with relaxed canonicalization of
 * header and body. The source is given byte by byte (latin1).
 */
export function verifyDkim(source: string, publicKey: KeyObject): DkimResult {
  const end = source.indexOf('\r\n\r\n');
  const headers = source.slice(0, end).split(/\r\n(?![ \t])/);
  // The stub that received it has cut off the last line's end.
  const body = `${source.slice(end + 4)}\r\n`;
  const own = headers.find((header) => /^dkim-signature:/i.test(header)) ?? '';
  const tags = Object.fromEntries(
    own
      .slice(own.indexOf(':') + 1)
      .split(';')
      .map((tag) => tag.replaceAll(/\s+/g, '').match(/^([a-z]+)=(.*)$/s) ?? ['', '', ''])
      .map(([, name = '', value = '']) => [name, value]),
  );
  const signed = (tags.h ?? '').toLowerCase().split(':');
  const verifier = createVerify('RSA-SHA256');
  for (const header of headersOf(headers, signed)) verifier.update(`${relaxedHeader(header)}\r\n`, 'latin1');
  // The signature covers its own header with an empty value of `b`, without a line end.
  verifier.update(relaxedHeader(own.replace(/([;\s]b=)[^;]*/s, '$1')), 'latin1');
  const bodyHash = createHash('sha256').update(relaxedBody(body), 'latin1').digest('base64');
  const valid = bodyHash === tags.bh && verifier.verify(publicKey, tags.b ?? '', 'base64');
  return { valid, tags, signed };
}

/** Each name takes the last header of that name not yet taken; a name without one stands for its absence. */
function headersOf(headers: readonly string[], names: readonly string[]): string[] {
  const left = [...headers];
  return names.flatMap((name) => {
    const index = left.findLastIndex((header) => header.toLowerCase().startsWith(`${name}:`));
    return index === -1 ? [] : left.splice(index, 1);
  });
}

function relaxedHeader(header: string): string {
  const colon = header.indexOf(':');
  const value = header
    .slice(colon + 1)
    .replaceAll(/\r\n/g, '')
    .replaceAll(/[ \t]+/g, ' ')
    .trim();
  return `${header.slice(0, colon).trim().toLowerCase()}:${value}`;
}

const relaxedBody = (body: string): string =>
  body
    .split('\r\n')
    .map((line) => line.replaceAll(/[ \t]+/g, ' ').replace(/ $/, ''))
    .join('\r\n')
    .replace(/(\r\n)*$/, '\r\n');
