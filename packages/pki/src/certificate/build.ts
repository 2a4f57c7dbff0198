import type { NameAttribute } from '../name/attributes.ts';
import { encodeName } from '../name/distinguished-name.ts';
import { oids } from '../oids.ts';
import type { AuthorityProfile, ResponderProfile } from '../profile/authority-profiles.ts';
import type { IdentityField, IdentityFieldSettings } from '../profile/identity-fields.ts';
import type { SubscriberProfile } from '../profile/subscriber-profiles.ts';
import type { SignatureAlgorithm } from './algorithms.ts';
import * as extension from './extensions.ts';
import { identityExtensions, identityOtherNames } from './identity-fields.ts';
import { buildTbs } from './tbs.ts';

/** Properties that all certificates of one issuer share. */
export type IssuerIdentity = {
  /** Issuer's subject, DER, exactly as in its own certificate. */
  name: Uint8Array;
  keyId: Uint8Array;
  signatureAlgorithm: SignatureAlgorithm;
};

/** Addresses and choices of the operator that certificates contain. */
export type Publication = {
  /** Object identifier under which the operator numbers its policies. */
  policyArc: string;
  cpsUri?: string | undefined;
  caIssuersUri: string;
  ocspUri: string;
  crlUri: string;
  /** Adds the purposes of document signing: RFC 9336, and those for programs that do not know it. */
  documentSigning: boolean;
  identityFields: IdentityFieldSettings;
};

/** Builds the to-be-signed certificate of a subscriber. */
export function subscriberTbs(input: {
  profile: SubscriberProfile;
  issuer: IssuerIdentity;
  publication: Publication;
  subject: readonly NameAttribute[];
  /** Added to subjectAltName if present. ASCII. */
  email?: string | undefined;
  /** Fields in the form that the publication requires; none if it requires none. */
  identityFields?: readonly IdentityField[] | undefined;
  serial: Uint8Array;
  validity: { notBefore: Date; notAfter: Date };
  spki: Uint8Array;
}): Uint8Array {
  const { profile, issuer, publication } = input;
  const { form } = publication.identityFields;
  const fields = form === 'none' ? [] : (input.identityFields ?? []);
  const otherNames = form === 'otherName' ? identityOtherNames(fields, publication.identityFields) : [];
  return buildTbs({
    serial: input.serial,
    signatureAlgorithm: issuer.signatureAlgorithm,
    issuer: issuer.name,
    subject: encodeName(input.subject),
    validity: input.validity,
    spki: input.spki,
    extensions: [
      extension.authorityKeyIdentifier(issuer.keyId),
      extension.subjectKeyIdentifier(extension.keyIdentifier(input.spki)),
      extension.keyUsage(profile.keyUsage),
      ...(publication.documentSigning ? [extension.documentSigningUsage()] : []),
      extension.certificatePolicies(subscriberPolicy(profile, publication.policyArc), publication.cpsUri),
      ...(input.email === undefined && otherNames.length === 0
        ? []
        : [extension.subjectAltName(input.email, otherNames)]),
      extension.authorityInfoAccess(publication),
      extension.crlDistributionPoints(publication.crlUri),
      ...(form === 'extensions' ? identityExtensions(fields, publication.identityFields) : []),
    ],
  });
}

/** Returns the policy identifier of a profile below the operator's arc. */
export function subscriberPolicy(profile: SubscriberProfile, policyArc: string): string {
  return `${policyArc}.${profile.policy}`;
}

/** Builds the to-be-signed certificate of an authority. A root has no `issuer`: it signs itself. */
export function authorityTbs(input: {
  profile: AuthorityProfile;
  subject: readonly NameAttribute[];
  serial: Uint8Array;
  validity: { notBefore: Date; notAfter: Date };
  spki: Uint8Array;
  signatureAlgorithm: SignatureAlgorithm;
  issuer?: { name: Uint8Array; keyId: Uint8Array; caIssuersUri: string; crlUri: string } | undefined;
}): Uint8Array {
  const { profile, issuer } = input;
  const subject = encodeName(input.subject);
  const keyId = extension.keyIdentifier(input.spki);
  return buildTbs({
    serial: input.serial,
    signatureAlgorithm: input.signatureAlgorithm,
    issuer: issuer?.name ?? subject,
    subject,
    validity: input.validity,
    spki: input.spki,
    extensions: [
      extension.authorityKeyIdentifier(issuer?.keyId ?? keyId),
      extension.subjectKeyIdentifier(keyId),
      extension.keyUsage(profile.keyUsage),
      extension.authorityConstraints(profile.pathLength),
      ...(issuer === undefined
        ? []
        : [
            // RFC 5280 §4.2.1.4: anyPolicy lets the authority issue under every policy of its operator.
            extension.certificatePolicies(oids.anyPolicy),
            extension.authorityInfoAccess({ caIssuersUri: issuer.caIssuersUri }),
            extension.crlDistributionPoints(issuer.crlUri),
          ]),
    ],
  });
}

/** Builds the to-be-signed certificate of an OCSP responder to which `issuer` delegates (RFC 6960 §4.2.2.2). */
export function responderTbs(input: {
  profile: ResponderProfile;
  issuer: IssuerIdentity;
  subject: readonly NameAttribute[];
  serial: Uint8Array;
  validity: { notBefore: Date; notAfter: Date };
  spki: Uint8Array;
}): Uint8Array {
  const { issuer } = input;
  return buildTbs({
    serial: input.serial,
    signatureAlgorithm: issuer.signatureAlgorithm,
    issuer: issuer.name,
    subject: encodeName(input.subject),
    validity: input.validity,
    spki: input.spki,
    // No addresses of the authority or of a list: the answer contains this certificate, and no client checks it
    // further.
    extensions: [
      extension.authorityKeyIdentifier(issuer.keyId),
      extension.subjectKeyIdentifier(extension.keyIdentifier(input.spki)),
      extension.keyUsage(input.profile.keyUsage),
      extension.ocspSigningUsage(),
      extension.ocspNoCheck(),
    ],
  });
}
