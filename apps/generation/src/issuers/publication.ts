import type { IdentityFieldSettings, Publication } from '@rubrica/pki';
import { formatCrlName } from '../certificate/crl-shard.ts';

/** Settings for addresses and content of certificates. */
export interface PublicationSettings {
  readonly address: { readonly pki: string };
  readonly profile: {
    readonly policyArc: string;
    readonly cpsUri?: string | undefined;
    readonly documentSigning: boolean;
    readonly identityFields: Omit<IdentityFieldSettings, 'arc'> & { readonly arc?: string | undefined };
  };
}

/** Builds the addresses and choices in certificates of an issuer's shard. */
export function buildPublication(
  { address, profile }: PublicationSettings,
  issuerName: string,
  crlShard: number,
): Publication {
  const baseUrl = `${address.pki}/pki`;
  return {
    policyArc: profile.policyArc,
    cpsUri: profile.cpsUri,
    caIssuersUri: `${baseUrl}/${issuerName}.cer`,
    crlUri: buildCrlUri({ address }, { issuer: issuerName, shard: crlShard }),
    ocspUri: `${baseUrl}/ocsp`,
    documentSigning: profile.documentSigning,
    identityFields: {
      ...profile.identityFields,
      arc: profile.identityFields.arc ?? `${profile.policyArc}.3`,
    },
  };
}

/** Returns the address of a CRL. */
export function buildCrlUri(
  { address }: Pick<PublicationSettings, 'address'>,
  { issuer, shard, isDelta = false }: { issuer: string; shard: number; isDelta?: boolean },
): string {
  return `${address.pki}/pki/${formatCrlName({ issuer, shard, isDelta })}.crl`;
}
