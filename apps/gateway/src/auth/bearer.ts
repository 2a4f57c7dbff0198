import { decodeJwt } from 'jose';

/** RFC 6750 §2.1: `b64token`. The limit on headers bounds its length. */
const bearerPattern = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** Extracts the token of an Authorization header; undefined where it is malformed. */
export function parseBearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : bearerPattern.exec(authorization)?.[1];
}

/** Reads the issuer of a JWT before its signature is verified, to select the keys for the verification. */
export function readClaimedIssuer(token: string): string | undefined {
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
}
