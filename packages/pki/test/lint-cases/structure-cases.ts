import { signatureAlgorithmIdentifier } from '../../src/certificate/algorithms.ts';
import * as der from '../../src/der/write.ts';
import { encodeName } from '../../src/name/distinguished-name.ts';
import { oids } from '../../src/oids.ts';
import { parsed } from '../fixtures.ts';
import { rebuild } from '../rebuild.ts';
import { authority, type Change, type LintCases, parts, subscriber } from './lint-case.ts';

const serial = (hex: string) => parts({ serial: der.tlv(der.tags.integer, Buffer.from(hex, 'hex')) });
const algorithms = (inner: Uint8Array, outer = inner) => parts({ algorithm: inner, outerAlgorithm: outer });
const time = (iso: string) => der.certificateTime(new Date(iso));
const generalized = (digits: string) => der.tlv(der.tags.generalizedTime, Buffer.from(digits));
const validity = (notBefore: Uint8Array, notAfter: Uint8Array) =>
  parts({ validity: der.sequence(notBefore, notAfter) });
export const between = (notBefore: string, notAfter: string) => validity(time(notBefore), time(notAfter));

/** The signature as it is, but with a last bit that does not count. */
const oneBitLess: Change = (good) => {
  const bytes = Buffer.from(parsed(good).signature.bytes);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) & 0xfe;
  return rebuild(good, { signature: der.tlv(der.tags.bitString, Uint8Array.of(1), bytes) });
};

const twice: Change = (good) => {
  const extensions = der.encodeExplicit(
    3,
    der.sequence(
      ...parsed(good).extensions.map(({ oid, critical, value }) =>
        der.sequence(der.oid(oid), ...(critical ? [der.boolean(true)] : []), der.octetString(value)),
      ),
    ),
  );
  return rebuild(good, { uniqueIdentifiers: extensions });
};

export const structureCases: LintCases = {
  certificate_readable: subscriber((good) => good.subarray(1)),
  version_3: subscriber(parts({ version: der.encodeExplicit(0, der.integer(1)) })),
  fields_in_order: subscriber(twice),
  no_unique_identifiers: subscriber(
    parts({ uniqueIdentifiers: der.implicitPrimitive(1, Uint8Array.of(0, 1)) }),
  ),
  serial_positive: subscriber(serial('ff1234567890abcdef'), { good: serial('00ff1234567890abcdef') }),
  serial_at_most_20_octets: authority(serial('71'.padEnd(42, '2a3b4c5d')), {
    good: serial('71'.padEnd(40, '2a3b4c5d')),
  }),
  serial_below_127_bits: subscriber(serial(`00${'a1'.padEnd(32, '2a3b4c5d')}`), {
    good: serial('71'.padEnd(32, '2a3b4c5d')),
  }),
  serial_long_enough: subscriber(serial('71a2b3c4d5e6f708'), { good: serial('71a2b3c4d5e6f70819') }),
  serial_not_patterned: subscriber(serial(`01${'00'.repeat(13)}2a`)),
  signature_algorithms_match: subscriber(
    algorithms(
      signatureAlgorithmIdentifier('ecdsa-with-SHA256'),
      signatureAlgorithmIdentifier('sha256WithRSAEncryption'),
    ),
    { also: ['signature_fits_issuer_key'] },
  ),
  signature_algorithm_allowed: subscriber(
    algorithms(der.sequence(der.oid('1.2.840.113549.1.1.5'), der.nullValue())),
    { also: ['signature_fits_issuer_key'] },
  ),
  signature_algorithm_parameters: subscriber(
    algorithms(der.sequence(der.oid(oids.ecdsaWithSha256), der.nullValue())),
  ),
  signature_fits_issuer_key: subscriber(algorithms(signatureAlgorithmIdentifier('sha256WithRSAEncryption'))),
  signature_whole_octets: subscriber(oneBitLess),
  signature_ecdsa_form: subscriber(
    parts({ signature: der.bitString(der.sequence(der.integer(7), der.integer(0))) }),
    { good: parts({ signature: der.bitString(der.sequence(der.integer(7), der.integer(9))) }) },
  ),
  issuer_attributes_present: subscriber(
    parts({ issuer: encodeName([{ type: 'commonName', value: 'Test Issuing CA' }]) }),
    { also: ['issuer_is_authority_subject'] },
  ),
  issuer_is_authority_subject: subscriber(
    parts({
      issuer: encodeName([
        { type: 'countryName', value: 'EC' },
        { type: 'organizationName', value: 'Rubrica' },
        { type: 'commonName', value: 'Another CA' },
      ]),
    }),
  ),

  validity_encoding: subscriber(validity(generalized('20260301120000Z'), time('2028-03-01T11:59:59Z'))),
  validity_order: subscriber(between('2027-03-01T12:00:00Z', '2027-03-01T12:00:00Z')),
  validity_within_profile: subscriber(between('2026-03-01T12:00:00Z', '2028-03-01T12:00:00Z')),
  validity_at_most_longest_period: subscriber(between('2023-02-26T12:00:00Z', '2028-03-01T11:59:59Z'), {
    good: between('2023-03-01T12:00:00Z', '2028-03-01T11:59:59Z'),
  }),
  validity_begins_within_issuer: authority(between('2019-12-31T23:59:59Z', '2030-01-01T00:00:00Z'), {
    good: between('2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z'),
  }),
  validity_ends_within_issuer: authority(between('2020-01-01T00:00:00Z', '2061-01-01T00:00:00Z'), {
    good: between('2020-01-01T00:00:00Z', '2060-12-31T23:59:59Z'),
  }),
};

/** What the reader refuses, each a fault of one octet or one field. */
export const unreadable: Readonly<Record<string, Change>> = {
  'octets after the end': (good) => Buffer.concat([good, Uint8Array.of(0)]),
  'a length that is not the shortest': (good) =>
    Buffer.concat([good.subarray(0, 1), Uint8Array.of(0x83, 0), good.subarray(2)]),
  'a length without an end': (good) =>
    Buffer.concat([Uint8Array.of(0x30, 0x80), good.subarray(4), Uint8Array.of(0, 0)]),
  'an integer with padding': serial('0071a2b3c4d5e6f70819'),
  'an empty integer': serial(''),
  'TRUE that is not 255': (good) => {
    const bytes = Buffer.from(good);
    bytes[bytes.indexOf(Buffer.from('0101ff', 'hex')) + 2] = 1;
    return bytes;
  },
  'an object identifier with padding': algorithms(
    der.sequence(der.tlv(der.tags.objectIdentifier, Uint8Array.of(0x2a, 0x80, 0x01))),
  ),
  'a UTCTime without seconds': validity(
    der.tlv(der.tags.utcTime, Buffer.from('2603011200Z')),
    time('2028-03-01T11:59:59Z'),
  ),
  'a time with a fraction': validity(generalized('20260301120000.5Z'), time('2028-03-01T11:59:59Z')),
  'a time with an offset': validity(
    der.tlv(der.tags.utcTime, Buffer.from('260301120000-0500')),
    time('2028-03-01T11:59:59Z'),
  ),
  'a day that does not exist': validity(
    der.tlv(der.tags.utcTime, Buffer.from('260231120000Z')),
    time('2028-03-01T11:59:59Z'),
  ),
  'text in a broken encoding': parts({
    subject: der.sequence(
      der.encodeSet(
        der.sequence(der.oid('2.5.4.3'), der.tlv(der.tags.utf8String, Uint8Array.of(0xc3, 0x28))),
      ),
    ),
  }),
  'an empty relative distinguished name': parts({ subject: der.sequence(der.encodeSet()) }),
  'an extension of four members': parts({
    rawExtensions: der.encodeExplicit(
      3,
      der.sequence(
        der.sequence(
          der.oid(oids.keyUsage),
          der.boolean(true),
          der.octetString(Uint8Array.of(5, 0)),
          der.nullValue(),
        ),
      ),
    ),
  }),
  'an RSA key below zero': parts({
    spki: der.sequence(
      der.sequence(der.oid(oids.rsaEncryption), der.nullValue()),
      der.bitString(der.sequence(der.tlv(der.tags.integer, Uint8Array.of(0x81)), der.integer(3))),
    ),
  }),
  'a public key that is not of whole octets': parts({
    spki: der.sequence(
      der.sequence(der.oid(oids.ecPublicKey), der.oid(oids.prime256v1)),
      der.tlv(der.tags.bitString, Uint8Array.of(1, 4)),
    ),
  }),
};
