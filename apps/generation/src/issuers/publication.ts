import type { IdentityFieldSettings, Publication } from '@rubrica/pki';
import { crlName } from '../certificate/crl-shard.ts';

/** What the operator has set about the address and content of certificates. */
export interface PublicationSettings {
  readonly address: { readonly pki: string };
  readonly profile: {
    readonly policyArc: string;
    readonly cpsUri?: string | undefined;
    readonly documentSigning: boolean;
    readonly identityFields: Omit<IdentityFieldSettings, 'arc'> & { readonly arc?: string | undefined };
  };
}

/** Addresses and choices that go into every certificate of one issuer whose status is published in that shard. */
export function publicationOf(
  { address, profile }: PublicationSettings,
  issuerName: string,
  crlShard: number,
): Publication {
  const at = `${address.pki}/pki`;
  return {
    policyArc: profile.policyArc,
    cpsUri: profile.cpsUri,
    caIssuersUri: `${at}/${issuerName}.cer`,
    crlUri: crlUriOf({ address }, { issuer: issuerName, shard: crlShard }),
    ocspUri: `${at}/ocsp`,
    documentSigning: profile.documentSigning,
    identityFields: {
      ...profile.identityFields,
      arc: profile.identityFields.arc ?? `${profile.policyArc}.3`,
    },
  };
}

/** Where a CRL is published. */
export function crlUriOf(
  { address }: Pick<PublicationSettings, 'address'>,
  { issuer, shard, isDelta = false }: { issuer: string; shard: number; isDelta?: boolean },
): string {
  return `${address.pki}/pki/${crlName({ issuer, shard, isDelta })}.crl`;
}
