import type { Publication } from '@rubrica/pki';
import type { GenerationConfig } from '../config.ts';
import { crlName } from '../crl/crl-shard.ts';

/** Addresses and choices that go into every certificate of one issuer whose status is published in that shard. */
export function publicationOf(
  { address, profile }: Pick<GenerationConfig, 'address' | 'profile'>,
  issuerName: string,
  crlShard: number,
): Publication {
  const at = `${address.pki}/pki`;
  return {
    policyArc: profile.policyArc,
    cpsUri: profile.cpsUri,
    caIssuersUri: `${at}/${issuerName}.cer`,
    crlUri: crlUriOf({ address }, issuerName, crlShard),
    ocspUri: `${at}/ocsp`,
    documentSigning: profile.documentSigning,
  };
}

/** Where a CRL is published. */
export const crlUriOf = (
  { address }: Pick<GenerationConfig, 'address'>,
  issuerName: string,
  crlShard: number,
): string => `${address.pki}/pki/${crlName(issuerName, crlShard)}.crl`;
