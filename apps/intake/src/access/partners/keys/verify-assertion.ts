import { createPublicKey } from 'node:crypto';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { assertionAlgorithms, maxAssertionSeconds } from '@rubrica/contracts/rest/oauth';
import { text } from '@rubrica/contracts/shared/fields';
import { decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import type { PartnerKey } from './partner-key.entity.ts';

/** Claims of an assertion, before anything is proven. */
export interface ClaimedAssertion {
  readonly clientId: string;
  readonly algorithm: string;
  readonly jti: string;
  readonly expiresAt: Date;
}

/** Reason for a refusal. The client may read it: it repeats only what the client has sent. */
export interface AssertionRejection {
  readonly rejection: ErrorText;
}

/** Seconds by which a partner's clock may be ahead of ours; nothing is accepted after its end. */
const aheadSeconds = 10;

const types = [undefined, 'jwt', 'client-authentication+jwt'];

const fields = z.object({
  iss: text(200).min(1),
  sub: text(200).min(1),
  aud: z.string(),
  exp: z.number(),
  jti: text(255).min(1),
  iat: z.number().optional(),
});

/**
 * Checks the form of an assertion (RFC 7523 §3, and stricter): one audience, which is ours; an end, at most
 * five minutes ahead; an id. The signature is not checked yet.
 */
export function readAssertion(
  assertion: string,
  { audiences, now }: { readonly audiences: readonly string[]; readonly now: Date },
): ClaimedAssertion | AssertionRejection {
  const decoded = decode(assertion);
  if (decoded === undefined) return { rejection: createText('access.assertionUnsigned') };
  const { alg: algorithm = 'none', typ } = decoded.header;
  // A JWT that the same key has signed for another use is no proof here.
  if (!types.includes(typ?.toLowerCase())) return { rejection: createText('access.assertionTyp') };
  const parsed = fields.safeParse(decoded.payload);
  if (!parsed.success) return { rejection: createText('access.assertionClaims') };
  const { iss, sub, aud, exp, iat, jti } = parsed.data;
  const seconds = Math.floor(now.getTime() / 1000);
  if (iss !== sub) return { rejection: createText('access.assertionIssuer') };
  if (!audiences.includes(aud))
    return {
      rejection: createText('access.assertionAudience', { values: audiences.join(' ') }),
    };
  if (exp <= seconds) return { rejection: createText('access.assertionExpired') };
  if (exp > seconds + maxAssertionSeconds)
    return {
      rejection: createText('access.assertionTooLong', {
        count: maxAssertionSeconds,
      }),
    };
  if (iat !== undefined && iat > seconds + aheadSeconds)
    return { rejection: createText('access.assertionIssuedAhead') };
  return { clientId: sub, algorithm, jti, expiresAt: new Date(Math.ceil(exp) * 1000) };
}

function decode(assertion: string) {
  try {
    return { header: decodeProtectedHeader(assertion), payload: decodeJwt(assertion) };
  } catch {
    return undefined;
  }
}

/**
 * Returns whether one of the keys signed the assertion. A key verifies the algorithms of its own kind only,
 * whatever the header says. The `kid` is not needed to choose among three keys.
 */
export async function isSignedBy(
  assertion: string,
  keys: readonly Pick<PartnerKey, 'algorithm' | 'jwk'>[],
  { algorithm, now }: { readonly algorithm: string; readonly now: Date },
): Promise<boolean> {
  for (const { algorithm: kind, jwk } of keys) {
    const algorithms: readonly string[] = assertionAlgorithms[kind];
    if (!algorithms.includes(algorithm)) continue;
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    const options = { algorithms: [...algorithms], currentDate: now, clockTolerance: aheadSeconds };
    if (await verifies(jwtVerify(assertion, key, options))) return true;
  }
  return false;
}

async function verifies(verification: Promise<{ payload: JWTPayload }>): Promise<boolean> {
  try {
    await verification;
    return true;
  } catch {
    return false;
  }
}
