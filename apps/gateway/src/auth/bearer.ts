import { decodeJwt } from 'jose';

/** RFC 6750 §2.1: `b64token`. The limit of the headers bounds its length. */
const shape = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** The token of an Authorization header, or nothing where it is not well-formed. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : shape.exec(authorization)?.[1];
}

/** The issuer that a JWT names, read before its signature is checked, to know whose keys to check it with. */
export function claimedIssuer(token: string): string | undefined {
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
}
