import type { Publication } from '@rubrica/pki';
import type { GenerationConfig } from '../config.ts';

/** Addresses and choices that go into every certificate of one issuer. */
export function publicationOf(
  { address, profile }: Pick<GenerationConfig, 'address' | 'profile'>,
  issuerName: string,
): Publication {
  const at = `${address.pki}/pki`;
  return {
    policyArc: profile.policyArc,
    cpsUri: profile.cpsUri,
    caIssuersUri: `${at}/${issuerName}.cer`,
    crlUri: `${at}/${issuerName}.crl`,
    ocspUri: `${at}/ocsp`,
    documentSigning: profile.documentSigning,
  };
}
