import { signatureAlgorithmIdentifier } from '../../certificate/algorithms.ts';
import { expectTag, readIntegerBytes, readNode } from '../../der/read.ts';
import { tags } from '../../der/write.ts';
import { nameValue } from '../../name/distinguished-name.ts';
import { oids } from '../../oids.ts';
import { sameBytes } from '../checks.ts';
import { ruleTable } from '../rule.ts';

const allowedSignatures = new Map([
  [oids.sha256WithRsaEncryption as string, signatureAlgorithmIdentifier('sha256WithRSAEncryption')],
  [oids.ecdsaWithSha256, signatureAlgorithmIdentifier('ecdsa-with-SHA256')],
]);

/** Tags that may follow the public key: issuerUniqueID, subjectUniqueID, extensions. */
const trailingTags = [0x81, 0x82, 0xa3];

/** A P-256 signature holds two numbers of 32 octets, each of which may need a sign octet. */
const MAX_ECDSA_NUMBER_OCTETS = 33;

/** Rules on the certificate as a whole, its serial number, algorithms and issuer. */
export const structureRules = ruleTable({
  version_3: {
    source: 'RFC 5280 §4.1.2.1',
    about: 'the version is 3',
    check: ({ version }) => version !== 3 && `version is ${version}`,
  },
  fields_in_order: {
    source: 'RFC 5280 §4.1',
    about: 'what follows the key stands once and in the order of the definition',
    check: ({ tbs }) => {
      const fields = readNode(tbs)
        .children.slice(7)
        .map(({ tag }) => tag);
      const allowed = trailingTags.filter((tag) => fields.includes(tag));
      return allowed.join() !== fields.join() && 'fields after the key repeated or out of order';
    },
  },
  no_unique_identifiers: {
    source: 'RFC 5280 §4.1.2.8',
    about: 'issuerUniqueID and subjectUniqueID are left out',
    check: ({ hasUniqueIdentifiers }) => hasUniqueIdentifiers && 'unique identifiers are present',
  },
  serial_positive: {
    source: 'RFC 5280 §4.1.2.2',
    about: 'the serial number is above zero',
    check: ({ serial }) =>
      ((serial[0] ?? 0) >= 0x80 || serial.every((octet) => octet === 0)) && 'not a positive number',
  },
  serial_at_most_20_octets: {
    source: 'RFC 5280 §4.1.2.2',
    about: 'the serial number has 20 octets at most',
    check: ({ serial }) => serial.length > 20 && `${serial.length} octets`,
  },
  serial_below_127_bits: {
    source: "operator's profile",
    appliesTo: 'subscriber',
    about: 'the serial number has 127 bits at most, which every program prints in decimal',
    check: ({ serial }) => serial.length > 16 && `${serial.length} octets`,
  },
  serial_long_enough: {
    source: 'CABF BR §7.1',
    about: 'the serial number has room for 64 random bits under its sign',
    check: ({ serial }) => serial.length < 9 && `${serial.length} octets`,
  },
  serial_not_patterned: {
    source: 'CABF BR §7.1',
    about: 'the octets of the serial number do not nearly all repeat',
    // Entropy cannot be judged from one number; a counter or a constant instead of it can be detected.
    check: ({ serial }) => serial.length >= 9 && new Set(serial).size < 4 && 'octets that nearly all repeat',
  },
  signature_algorithms_match: {
    source: 'RFC 5280 §4.1.1.2',
    about: 'the algorithm inside the signed part is the one beside the signature',
    check: ({ signatureAlgorithm, tbsSignatureAlgorithm }) =>
      !sameBytes(signatureAlgorithm, tbsSignatureAlgorithm) && 'inner and outer algorithm differ',
  },
  signature_algorithm_allowed: {
    source: 'ETSI TS 119 312 §7',
    about: 'signed with SHA-256 and RSA or ECDSA',
    check: ({ signatureAlgorithmOid }) =>
      !allowedSignatures.has(signatureAlgorithmOid) && `${signatureAlgorithmOid} is not allowed`,
  },
  signature_algorithm_parameters: {
    source: 'RFC 4055 §5; RFC 5758 §3.2',
    about: 'the parameters of the signature algorithm are NULL for RSA and left out for ECDSA',
    check: ({ signatureAlgorithm, signatureAlgorithmOid }) => {
      const wanted = allowedSignatures.get(signatureAlgorithmOid);
      return wanted && !sameBytes(wanted, signatureAlgorithm) && 'parameters of another form';
    },
  },
  signature_fits_issuer_key: {
    source: 'RFC 5280 §4.1.1.2',
    about: "the algorithm is one of the issuer's kind of key",
    check: (certificate, { issuer }) => {
      const { kind } = (issuer ?? certificate).publicKey.details;
      const wanted = kind === 'rsa' ? oids.sha256WithRsaEncryption : oids.ecdsaWithSha256;
      return certificate.signatureAlgorithmOid !== wanted && `the issuer's key is ${kind}`;
    },
  },
  signature_whole_octets: {
    source: 'RFC 5280 §4.1.1.3',
    about: 'the signature is there and has whole octets',
    check: ({ signature }) =>
      (signature.unusedBits !== 0 || signature.bytes.length === 0) && 'empty or with unused bits',
  },
  signature_ecdsa_form: {
    source: 'RFC 3279 §2.2.3',
    about: 'an ECDSA signature is a SEQUENCE of two positive numbers that fit the curve',
    check: ({ signature, signatureAlgorithmOid }) => {
      if (signatureAlgorithmOid !== oids.ecdsaWithSha256) return undefined;
      const numbers = expectTag(readNode(signature.bytes), tags.sequence).children.map(readIntegerBytes);
      const sound = numbers.every(
        (bytes) =>
          (bytes[0] ?? 0) < 0x80 &&
          bytes.length <= MAX_ECDSA_NUMBER_OCTETS &&
          bytes.some((octet) => octet > 0),
      );
      return (numbers.length !== 2 || !sound) && 'not two positive numbers of the size of the curve';
    },
  },
  issuer_attributes_present: {
    source: 'ETSI EN 319 412-2 §4.2.3',
    about: 'the issuer is named with country, organization and common name',
    check: ({ issuer }) => {
      const wanted = ['countryName', 'organizationName', 'commonName'] as const;
      const missing = wanted.filter((type) => !nameValue(issuer, type));
      return missing.length > 0 && `missing: ${missing.join(', ')}`;
    },
  },
  issuer_is_authority_subject: {
    source: 'RFC 5280 §4.1.2.4, §6.1.3',
    about: "the issuer is, byte for byte, the authority's subject",
    check: (certificate, { issuer }) =>
      !sameBytes(certificate.issuer.raw, (issuer ?? certificate).subject.raw) &&
      "issuer is not, byte for byte, the authority's subject",
  },
});
