import { implicitPrimitive, oid, sequence } from '../der/write.ts';
import type { NameAttribute } from '../name/attributes.ts';
import { encodeName } from '../name/distinguished-name.ts';
import { oids } from '../oids.ts';
import type { IssuerIdentity } from './build.ts';
import * as extension from './extensions.ts';
import { buildTbs } from './tbs.ts';

/** Names in a certificate for TLS inside a deployment. */
export type TransportNames = {
  emails?: readonly string[];
  dnsNames?: readonly string[];
  /** IPv4. */
  addresses?: readonly string[];
};

/**
 * Purpose of a certificate. A server's certificate must not be usable as a client's, so only certificates between the
 * servers of a cluster have both purposes.
 */
export type TransportPurpose = 'clientAuth' | 'serverAuth';

/** Builds the to-be-signed certificate for TLS between services and their servers; subscribers never have one. */
export function transportTbs(input: {
  issuer: IssuerIdentity;
  purposes: readonly TransportPurpose[];
  subject: readonly NameAttribute[];
  names: TransportNames;
  serial: Uint8Array;
  validity: { notBefore: Date; notAfter: Date };
  spki: Uint8Array;
}): Uint8Array {
  const { issuer, names } = input;
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
      extension.keyUsage(['digitalSignature']),
      {
        oid: oids.extKeyUsage,
        critical: true,
        value: sequence(...input.purposes.map((purpose) => oid(oids[purpose]))),
      },
      { oid: oids.subjectAltName, critical: false, value: sequence(...generalNames(names)) },
    ],
  });
}

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/** Builds general names (RFC 5280 §4.2.1.6). */
function generalNames({ emails = [], dnsNames = [], addresses = [] }: TransportNames): Uint8Array[] {
  return [
    ...emails.map((email) => implicitPrimitive(1, Buffer.from(email, 'latin1'))),
    ...dnsNames.map((name) => implicitPrimitive(2, Buffer.from(name, 'latin1'))),
    ...addresses.map((address) => {
      if (!ipv4.test(address)) throw new RangeError(`"${address}" is not an IPv4 address`);
      return implicitPrimitive(7, Uint8Array.from(address.split('.').map(Number)));
    }),
  ];
}
