import {
  type SealBinding,
  type SealedPurpose,
  sealedPurposes,
} from '@rubrica/contracts/shared/sealed-purposes';
import { z } from 'zod';
import { malformedSeal } from '../keyring-error.ts';
import { keyAlgorithm } from './agree-key.ts';
import { decodePart } from './base64url.ts';

const contentEncryption = 'A256GCM';

/** Longest owner id; a header longer than all its members together is not parsed. */
const maxOwnerLength = 200;
const maxHeaderLength = 1_500;

/**
 * Header with exactly these members: an option that is not understood (zip, apu, p2c) is refused, and the algorithms
 * are compared, never chosen by the message. `pur` and `own` are listed in `crit`, so that no library opens the message
 * without knowing them (RFC 7516 §4.1.13).
 */
const headerSchema = z.strictObject({
  alg: z.literal(keyAlgorithm),
  enc: z.literal(contentEncryption),
  kid: z.string().min(1).max(100),
  epk: z.strictObject({ kty: z.literal('OKP'), crv: z.literal('X25519'), x: z.string().length(43) }),
  pur: z.enum(Object.keys(sealedPurposes) as [SealedPurpose, ...SealedPurpose[]]),
  own: z.string().min(1).max(maxOwnerLength),
  crit: z.tuple([z.literal('pur'), z.literal('own')]),
});

export type SealedHeader = z.output<typeof headerSchema>;

/**
 * Encodes the header.
 * @param x the ephemeral public key, base64url
 */
export function writeHeader(kid: string, x: string, { purpose, owner }: SealBinding): string {
  if (owner === '' || owner.length > maxOwnerLength) {
    throw new Error(`the owner of a ${purpose} must have 1 to ${maxOwnerLength} characters`);
  }
  const header: SealedHeader = {
    alg: keyAlgorithm,
    enc: contentEncryption,
    kid,
    epk: { kty: 'OKP', crv: 'X25519', x },
    pur: purpose,
    own: owner,
    crit: ['pur', 'own'],
  };
  return Buffer.from(JSON.stringify(header)).toString('base64url');
}

/**
 * Decodes the header.
 * @throws KeyringError `malformed`
 */
export function readHeader(part: string): SealedHeader {
  if (part.length > maxHeaderLength) throw malformedSeal();
  const text = decodePart(part).toString('utf8');
  try {
    return headerSchema.parse(JSON.parse(text));
  } catch {
    throw malformedSeal();
  }
}
