import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';

const sessionSchema = z.object({
  accessToken: z.string(),
  /** Milliseconds since 1970. */
  accessEndsAtMs: z.number(),
  /** Time of renewal, in milliseconds since 1970. */
  renewAtMs: z.number().optional(),
  refreshToken: z.string().optional(),
  role: z.enum(['viewer', 'reviewer', 'admin']),
  email: z.string(),
  /** Permissions of the session, as the gateway states them. */
  scope: z.enum(['full', 'enrolment', 'breakGlass']).default('full'),
});

/** Session that the browser stores but cannot read. */
export type Session = z.infer<typeof sessionSchema>;

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
/** Binds the seal to its purpose: data sealed for another purpose with the same key does not open. */
const purpose = Buffer.from('rubrica console session 1');

export interface SessionSeal {
  seal(session: Session): string;
  /** Opens a sealed session; undefined if it was altered or sealed with another key. */
  open(text: string): Session | undefined;
}

/**
 * Creates the seal.
 * @param keys of 32 bytes; the first seals, all open
 */
export function createSessionSeal(keys: readonly Buffer[]): SessionSeal {
  const [first] = keys;
  if (first === undefined) throw new Error('no key to seal sessions with');
  return {
    seal: (session) => seal(first, session),
    open(text) {
      const bytes = Buffer.from(text, 'base64url');
      for (const key of keys) {
        const session = openWith(key, bytes);
        if (session !== undefined) return session;
      }
      return undefined;
    },
  };
}

function seal(key: Buffer, session: Session): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(purpose);
  const sealed = [cipher.update(JSON.stringify(session), 'utf8'), cipher.final()];
  return Buffer.concat([iv, ...sealed, cipher.getAuthTag()]).toString('base64url');
}

function openWith(key: Buffer, bytes: Buffer): Session | undefined {
  if (bytes.length <= ivBytes + tagBytes) return undefined;
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes)).setAAD(purpose);
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]);
    return sessionSchema.safeParse(JSON.parse(text.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
