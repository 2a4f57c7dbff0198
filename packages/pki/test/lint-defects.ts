import { signatureAlgorithmIdentifier } from '../src/certificate/algorithms.ts';
import * as extension from '../src/certificate/extensions.ts';
import { readNode } from '../src/der/read.ts';
import * as der from '../src/der/write.ts';
import type { NameAttribute } from '../src/name/attributes.ts';
import { encodeName } from '../src/name/distinguished-name.ts';
import { oids } from '../src/oids.ts';
import { makeKey, parsed, type TestAuthority } from './fixtures.ts';
import { rebuild, withExtension } from './rebuild.ts';

type Defect = (good: { der: Uint8Array; issuer: TestAuthority }) => Uint8Array;

/** One bad certificate per rule id, made from a good one. */
export type Defects = Record<string, Defect>;

const subject = (attributes: NameAttribute[]): Uint8Array => encodeName(attributes);

/** The good subject with one attribute replaced by raw DER of its value. */
function withAttribute(good: Uint8Array, type: string, value: Uint8Array | undefined): Uint8Array {
  const view = parsed(good);
  const rdns = readNode(view.subject.raw).children.flatMap((rdn, index) => {
    const attribute = view.subject.attributes[index];
    if (attribute?.type !== type) return [rdn.raw];
    return value === undefined ? [] : [der.setOf(der.sequence(der.oid(attribute.oid), value))];
  });
  return rebuild(good, { subject: der.sequence(...rdns) });
}

const times = (notBefore: Uint8Array, notAfter: Uint8Array) => der.sequence(notBefore, notAfter);
const time = (iso: string) => der.certificateTime(new Date(iso));
const asGeneralized = (digits: string) => der.tlv(der.tags.generalizedTime, Buffer.from(digits));

const drop =
  (oid: string): Defect =>
  ({ der: good }) =>
    rebuild(
      good,
      withExtension(oid, () => undefined),
    );
const replace =
  (made: extension.Extension): Defect =>
  ({ der: good }) =>
    rebuild(
      good,
      withExtension(made.oid, () => made),
    );

const add =
  (made: extension.Extension): Defect =>
  ({ der: good }) =>
    rebuild(good, (extensions) => [...extensions, made]);

const keyed = (rsaModulus: Buffer, exponent: number) =>
  der.sequence(
    der.sequence(der.oid(oids.rsaEncryption), der.nullValue()),
    der.bitString(der.sequence(der.unsignedInteger(rsaModulus), der.integer(exponent))),
  );

const rsaModulus = (good: Uint8Array): Buffer => {
  const { details } = parsed(good).publicKey;
  if (details.kind !== 'rsa') throw new Error('an RSA certificate is needed');
  return Buffer.from(details.modulus);
};

const structure: Defects = {
  version_3: ({ der: good }) => rebuild(good, { version: der.explicit(0, der.integer(1)) }),
  serial_positive: ({ der: good }) =>
    rebuild(good, { serial: der.tlv(der.tags.integer, Buffer.from('ff1234567890abcdef', 'hex')) }),
  serial_at_most_20_octets: ({ der: good }) =>
    rebuild(good, { serial: der.unsignedInteger(Buffer.from('71'.padEnd(42, '2a'), 'hex')) }),
  serial_entropy: ({ der: good }) =>
    rebuild(good, { serial: der.unsignedInteger(Buffer.from('71a2b3c4', 'hex')) }),
  signature_algorithms_match: ({ der: good }) =>
    rebuild(good, { outerAlgorithm: signatureAlgorithmIdentifier('sha256WithRSAEncryption') }),
  signature_algorithm_allowed: ({ der: good }) => {
    const sha1 = der.sequence(der.oid('1.2.840.113549.1.1.5'), der.nullValue());
    return rebuild(good, { algorithm: sha1, outerAlgorithm: sha1 });
  },
  signature_fits_issuer_key: ({ der: good }) => {
    const rsa = signatureAlgorithmIdentifier('sha256WithRSAEncryption');
    return rebuild(good, { algorithm: rsa, outerAlgorithm: rsa });
  },
  signature_whole_octets: ({ der: good }) =>
    rebuild(good, { signature: der.tlv(der.tags.bitString, new Uint8Array([3, 8])) }),
  issuer_is_authority_subject: ({ der: good }) =>
    rebuild(good, { issuer: subject([{ type: 'commonName', value: 'Somebody else' }]) }),
  validity_encoding: ({ der: good }) =>
    rebuild(good, { validity: times(asGeneralized('20260301120000Z'), time('2028-03-01T11:59:59Z')) }),
  validity_order: ({ der: good }) =>
    rebuild(good, { validity: times(time('2027-03-01T12:00:00Z'), time('2027-03-01T11:59:59Z')) }),
  validity_within_profile: ({ der: good }) =>
    rebuild(good, { validity: times(time('2026-03-01T12:00:00Z'), time('2028-03-01T12:00:00Z')) }),
  validity_within_issuer: ({ der: good }) =>
    rebuild(good, { validity: times(time('2019-12-31T23:59:59Z'), time('2028-03-01T11:59:59Z')) }),
  no_unique_identifiers: ({ der: good }) =>
    rebuild(good, { uniqueIdentifiers: der.implicitPrimitive(1, new Uint8Array([0, 1])) }),
};

const names: Defects = {
  subject_not_empty: ({ der: good }) => rebuild(good, { subject: subject([]) }),
  subject_attributes_present: ({ der: good }) => withAttribute(good, 'surname', undefined),
  subject_attributes_known: ({ der: good }) =>
    rebuild(good, {
      subject: der.sequence(der.setOf(der.sequence(der.oid('2.5.4.65'), der.utf8String('Pseudónimo')))),
    }),
  subject_attributes_once: ({ der: good }) =>
    rebuild(good, {
      subject: subject([
        { type: 'commonName', value: 'A' },
        { type: 'commonName', value: 'B' },
      ]),
    }),
  subject_string_types: ({ der: good }) => withAttribute(good, 'commonName', der.printableString('Ana')),
  subject_upper_bounds: ({ der: good }) => withAttribute(good, 'title', der.utf8String('x'.repeat(65))),
  subject_text_clean: ({ der: good }) => withAttribute(good, 'surname', der.utf8String('PEN\u0303A')),
  subject_country_code: ({ der: good }) => withAttribute(good, 'countryName', der.printableString('ec')),
  subject_serial_number_semantics: ({ der: good }) =>
    withAttribute(good, 'serialNumber', der.printableString('1710034065')),
  subject_organization_identifier_semantics: ({ der: good }) =>
    withAttribute(good, 'organizationIdentifier', der.utf8String('VATEC-17900123450')),
  subject_attributes_of_profile: ({ der: good }) =>
    rebuild(good, { subject: subject([{ type: 'organizationalUnitName', value: 'Ventas' }]) }),
};

const keys: Defects = {
  key_type_and_size: ({ der: good }) => rebuild(good, { spki: makeKey('rsa', 1024).spki }),
  key_ec_point: ({ der: good }) => {
    const compressed = Buffer.concat([Buffer.from([2]), Buffer.alloc(32, 7)]);
    const algorithm = der.sequence(der.oid(oids.ecPublicKey), der.oid(oids.prime256v1));
    return rebuild(good, { spki: der.sequence(algorithm, der.bitString(compressed)) });
  },
  key_is_not_the_issuers: ({ der: good, issuer }) => rebuild(good, { spki: issuer.key.spki }),
};

const extensions: Defects = {
  extensions_once: add(extension.documentSigningUsage()),
  extensions_known: add({ oid: '1.3.6.1.4.1.32473.9', critical: false, value: der.nullValue() }),
  extensions_criticality: ({ der: good }) =>
    rebuild(
      good,
      withExtension(oids.keyUsage, (found) => ({ ...found, critical: false })),
    ),
  extensions_default_omitted: ({ der: good }) => {
    const value = der.octetString(der.octetString(new Uint8Array(20)));
    const written = der.sequence(der.oid(oids.subjectKeyIdentifier), der.boolean(false), value);
    return rebuild(good, { rawExtensions: der.explicit(3, der.sequence(written)) });
  },
  key_usage_present: drop(oids.keyUsage),
  key_usage_bits: replace(extension.keyUsage(['digitalSignature', 'nonRepudiation', 'keyEncipherment'])),
  basic_constraints_holder: add(extension.authorityConstraints(undefined)),
  policies_present: drop(oids.certificatePolicies),
  policies_of_profile: replace(extension.certificatePolicies('1.3.6.1.4.1.32473.1.1.1')),
  extended_key_usage_sound: replace({
    oid: oids.extKeyUsage,
    critical: false,
    value: der.sequence(der.oid(oids.anyExtendedKeyUsage)),
  }),
  alternative_name_is_email: replace({
    oid: oids.subjectAltName,
    critical: false,
    value: der.sequence(der.implicitPrimitive(2, Buffer.from('example.test'))),
  }),
  authority_key_identifier_present: drop(oids.authorityKeyIdentifier),
  authority_key_identifier_matches: replace(extension.authorityKeyIdentifier(new Uint8Array(20))),
  subject_key_identifier_present: drop(oids.subjectKeyIdentifier),
  subject_key_identifier_of_key: replace(extension.subjectKeyIdentifier(new Uint8Array(20))),
  access_ca_issuers: replace(
    extension.authorityInfoAccess({ caIssuersUri: 'https://pki.example.test/a.cer' }),
  ),
  access_ocsp: replace(extension.authorityInfoAccess({ caIssuersUri: 'http://pki.example.test/a.cer' })),
  crl_distribution_points: drop(oids.crlDistributionPoints),
};

export const holderDefects: Defects = { ...structure, ...names, ...keys, ...extensions };

export const authorityDefects: Defects = {
  basic_constraints_authority: replace(extension.authorityConstraints(3)),
  key_usage_bits: replace(extension.keyUsage(['digitalSignature', 'keyCertSign'])),
  access_ca_issuers: drop(oids.authorityInfoAccess),
};

export const responderDefects: Defects = {
  responder_extensions: add(extension.crlDistributionPoints('http://pki.example.test/pki/issuing.crl')),
  responder_purpose: replace(extension.documentSigningUsage()),
  responder_no_check: drop(oids.ocspNoCheck),
  responder_short_life: ({ der: good }) =>
    rebuild(good, { validity: times(time('2026-12-01T00:00:00Z'), time('2027-12-01T00:00:00Z')) }),
  key_usage_bits: replace(extension.keyUsage(['digitalSignature', 'cRLSign'])),
};

export const rsaDefects: Defects = {
  key_type_and_size: ({ der: good }) => rebuild(good, { spki: makeKey('ec').spki }),
  key_rsa_exponent: ({ der: good }) => rebuild(good, { spki: keyed(rsaModulus(good), 3) }),
  key_rsa_modulus: ({ der: good }) => {
    const even = rsaModulus(good);
    even[even.length - 1] = (even.at(-1) ?? 0) & 0xfe;
    return rebuild(good, { spki: keyed(even, 65537) });
  },
};
