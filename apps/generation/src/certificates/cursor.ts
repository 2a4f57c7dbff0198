import { z } from 'zod';
import type { CertificatePosition } from '../store/certificates.repository.ts';

const positionSchema = z.tuple([z.iso.datetime(), z.uuid()]);

/** Opaque to callers, so that its content may change. */
export const writeCursor = ({ issuedAt, id }: CertificatePosition): string =>
  Buffer.from(JSON.stringify([issuedAt.toISOString(), id])).toString('base64url');

/** `undefined` for a text that this service never gave out. */
export function readCursor(cursor: string): CertificatePosition | undefined {
  const parsed = positionSchema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (!parsed.success) return undefined;
  const [issuedAt, id] = parsed.data;
  return { issuedAt: new Date(issuedAt), id };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
