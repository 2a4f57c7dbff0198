import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';

/** Address of a separate file checker: a socket in a shared folder, or a port, which requires TLS. */
export type CheckerAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'port'; readonly host: string; readonly port: number };

/** Parses an address. @returns undefined if the text is no address */
export function parseCheckerAddress(text: string): CheckerAddress | undefined {
  if (text.startsWith('/')) return { kind: 'socket', path: text };
  const [, host = '', port] = /^([^\s/:]+):(\d{1,5})$/.exec(text) ?? [];
  return port === undefined || Number(port) > 65_535 ? undefined : { kind: 'port', host, port: Number(port) };
}

/** Reads the certificates. Both ends show a certificate of one authority, which certifies nothing else. */
export async function readCheckerTls(folder: string): Promise<SecureContextOptions> {
  const [ca, cert, key] = await Promise.all(
    ['file-checker-ca.pem', 'file-checker.pem', 'file-checker.key'].map((name) =>
      readFile(join(folder, name)),
    ),
  );
  return { ca, cert, key, minVersion: 'TLSv1.3' };
}
