import { z } from 'zod';
import type { TermsPosition } from '../store/terms-versions.repository.ts';

const positionSchema = z.tuple([z.iso.datetime(), z.uuid()]);

/** Opaque to callers, so that its content may change. */
export function writeCursor({ createdAt, id }: TermsPosition): string {
  return Buffer.from(JSON.stringify([createdAt.toISOString(), id])).toString('base64url');
}

/** `undefined` for a text that this service never gave out. */
export function readCursor(cursor: string): TermsPosition | undefined {
  const parsed = positionSchema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (!parsed.success) return undefined;
  const [createdAt, id] = parsed.data;
  return { createdAt: new Date(createdAt), id };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
