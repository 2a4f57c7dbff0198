import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';

/** Place of a file checker that runs for itself: a socket in a folder that both see, or a port, which takes TLS. */
export type CheckerAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'port'; readonly host: string; readonly port: number };

/** @returns undefined where the text is no address */
export function parseCheckerAddress(text: string): CheckerAddress | undefined {
  if (text.startsWith('/')) return { kind: 'socket', path: text };
  const [, host = '', port] = /^([^\s/:]+):(\d{1,5})$/.exec(text) ?? [];
  return port === undefined || Number(port) > 65_535 ? undefined : { kind: 'port', host, port: Number(port) };
}

/** Both ends show a certificate of one authority, which certifies nothing else. */
export async function readCheckerTls(folder: string): Promise<SecureContextOptions> {
  const [ca, cert, key] = await Promise.all(
    ['file-checker-ca.pem', 'file-checker.pem', 'file-checker.key'].map((name) =>
      readFile(join(folder, name)),
    ),
  );
  return { ca, cert, key, minVersion: 'TLSv1.3' };
}
