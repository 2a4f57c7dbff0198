import type { SignatureAlgorithm } from '../certificate/algorithms.ts';
import { assembleSigned, type Signer } from '../certificate/tbs.ts';
import { integer, sequence, tlv } from '../der/write.ts';
import type { NameAttribute } from '../name/attributes.ts';
import { encodeName } from '../name/distinguished-name.ts';

/** `attributes [0]`, IMPLICIT and required: an empty set if nothing is requested (RFC 2986 §4.1). */
const noAttributes = tlv(0xa0);

/** Builds the to-be-signed certification request, DER (RFC 2986 §4.1): a name and a key, nothing else. */
export function certificationRequestTbs(input: {
  subject: readonly NameAttribute[];
  spki: Uint8Array;
}): Uint8Array {
  return sequence(integer(0), encodeName(input.subject), input.spki, noAttributes);
}

/** Signs a request with the key to be certified, which proves its possession. Errors of the signer pass through. */
export async function signCertificationRequest(
  tbs: Uint8Array,
  signatureAlgorithm: SignatureAlgorithm,
  sign: Signer,
): Promise<Uint8Array> {
  return assembleSigned({ tbs, signatureAlgorithm, signature: await sign(tbs) });
}
