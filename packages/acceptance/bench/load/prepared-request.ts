/** As long as every reference, so that all bodies have the same length. */
export const referencePlaceholder = '#'.repeat(36);

interface Prepared {
  readonly bytes: Buffer;
  setReference(reference: string): void;
}

interface Call {
  readonly url: URL;
  readonly token: string;
}

/** Prepares the bytes of one GET, the same for each call. */
export function prepareQuery({ url, token }: Call): Prepared {
  const head = [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    `authorization: Bearer ${token}`,
  ];
  return { bytes: Buffer.from(`${head.join('\r\n')}\r\n\r\n`), setReference: () => undefined };
}

/** Prepares the bytes of one POST whose `referenceTransaction` is overwritten in place: no call builds new bytes. */
export function prepareRequest({ url, token, body }: Call & { readonly body: string }): Prepared {
  const head = [
    `POST ${url.pathname} HTTP/1.1`,
    `host: ${url.host}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  const position = bytes.indexOf(referencePlaceholder);
  if (position === -1) throw new Error('the body has no place for the reference');
  return {
    bytes,
    setReference(reference) {
      if (reference.length > referencePlaceholder.length) throw new RangeError(`${reference} is too long`);
      bytes.write(reference.padEnd(referencePlaceholder.length, '-'), position, 'latin1');
    },
  };
}

/** Prepares one line of a batch, in which only the reference changes. */
export function prepareLine(body: string): { of(reference: string): Buffer } {
  const bytes = Buffer.from(`${body}\n`);
  const position = bytes.indexOf(referencePlaceholder);
  if (position === -1) throw new Error('the body has no place for the reference');
  return {
    of(reference) {
      const own = Buffer.from(bytes);
      own.write(reference.padEnd(referencePlaceholder.length, '-'), position, 'latin1');
      return own;
    },
  };
}
