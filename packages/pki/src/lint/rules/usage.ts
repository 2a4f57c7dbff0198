import { documentSigningPurposes } from '../../certificate/extensions.ts';
import {
  findExtension,
  readBasicConstraints,
  readKeyUsage,
  readPurposes,
} from '../../certificate/parse-extensions.ts';
import { readNode } from '../../der/read.ts';
import { namedBits, tags } from '../../der/write.ts';
import { oids } from '../../oids.ts';
import { keyUsageBits } from '../../profile/subscriber-profiles.ts';
import { extensionCheck, firstRepeated, hasExtension, sameBytes } from '../checks.ts';
import { ruleTable } from '../rule.ts';

const { digitalSignature, nonRepudiation, keyEncipherment, keyAgreement, keyCertSign } = keyUsageBits;

/** Usages that the mathematics of a key does not allow (RFC 3279 §2.3.1 and RFC 5480 §3). */
const impossibleUsage = { rsa: keyAgreement, ec: keyEncipherment, other: undefined } as const;

const signing: ReadonlySet<string> = new Set(documentSigningPurposes);

/** Rules on the usage of the key. */
export const usageRules = ruleTable({
  key_usage_present: {
    source: 'RFC 5280 §4.2.1.3; ETSI EN 319 412-2 §4.3.2',
    about: 'keyUsage is there',
    check: hasExtension(oids.keyUsage, 'keyUsage'),
  },
  key_usage_critical: {
    source: 'RFC 5280 §4.2.1.3',
    about: 'keyUsage is critical',
    check: extensionCheck(oids.keyUsage, ({ critical }) => !critical && 'keyUsage is not critical'),
  },
  key_usage_not_empty: {
    source: 'RFC 5280 §4.2.1.3',
    about: 'keyUsage sets at least one bit',
    check: extensionCheck(oids.keyUsage, (found) => readKeyUsage(found).length === 0 && 'no bit is set'),
  },
  key_usage_minimal: {
    source: 'X.690 §11.2',
    about: 'keyUsage is written without trailing zero bits, its unused bits zero',
    check: extensionCheck(
      oids.keyUsage,
      (found) => !sameBytes(found.value, namedBits(readKeyUsage(found))) && 'not in its shortest form',
    ),
  },
  key_usage_bits: {
    source: 'ETSI EN 319 412-2 §4.3.2; RFC 5280 §4.2.1.3',
    about: 'keyUsage sets the bits of the profile and no other',
    check: extensionCheck(oids.keyUsage, (found, { expected: { keyUsage } }) => {
      const wanted = keyUsage.map((bit) => keyUsageBits[bit]).toSorted((a, b) => a - b);
      return wanted.join() !== readKeyUsage(found).join() && `exactly ${keyUsage.join(' and ')} must be set`;
    }),
  },
  key_usage_of_key_type: {
    source: 'RFC 3279 §2.3.1; RFC 5480 §3',
    about: 'keyUsage asks nothing of the key that its mathematics cannot do',
    check: extensionCheck(oids.keyUsage, (found, { certificate }) => {
      const { kind } = certificate.publicKey.details;
      const impossible = impossibleUsage[kind];
      return (
        impossible !== undefined && readKeyUsage(found).includes(impossible) && `not with a key of ${kind}`
      );
    }),
  },
  key_usage_signs_certificates_as_authority: {
    source: 'RFC 5280 §4.2.1.9',
    about: 'keyCertSign is set only where basicConstraints names an authority',
    check: extensionCheck(oids.keyUsage, (found, { certificate }) => {
      const constraints = findExtension(certificate, oids.basicConstraints);
      const isAuthority = constraints !== undefined && readBasicConstraints(constraints).authority;
      return !isAuthority && readKeyUsage(found).includes(keyCertSign) && 'keyCertSign without an authority';
    }),
  },
  basic_constraints_present: {
    source: 'RFC 5280 §4.2.1.9',
    appliesTo: 'authority',
    about: 'an authority has basicConstraints',
    check: hasExtension(oids.basicConstraints, 'basicConstraints'),
  },
  basic_constraints_critical: {
    source: 'RFC 5280 §4.2.1.9',
    about: 'basicConstraints is critical',
    check: extensionCheck(
      oids.basicConstraints,
      ({ critical }) => !critical && 'basicConstraints is not critical',
    ),
  },
  basic_constraints_default_omitted: {
    source: 'X.690 §11.5',
    about: 'cA FALSE is not written out',
    check: extensionCheck(oids.basicConstraints, (found) => {
      const isWritten = readNode(found.value).children[0]?.tag === tags.boolean;
      return isWritten && !readBasicConstraints(found).authority && 'cA FALSE is written out';
    }),
  },
  basic_constraints_subscriber: {
    source: 'RFC 5280 §4.2.1.9',
    appliesTo: 'subscriber',
    about: 'a subscriber is no authority',
    check: extensionCheck(
      oids.basicConstraints,
      (found) => readBasicConstraints(found).authority && 'a subscriber is no authority',
    ),
  },
  basic_constraints_authority: {
    source: 'RFC 5280 §4.2.1.9',
    appliesTo: 'authority',
    about: 'basicConstraints of an authority says that it is one',
    check: extensionCheck(
      oids.basicConstraints,
      (found) => !readBasicConstraints(found).authority && 'cA is not set',
    ),
  },
  path_length_of_profile: {
    source: "operator's profile",
    appliesTo: 'authority',
    about: 'pathLenConstraint is the one of the profile',
    check: extensionCheck(
      oids.basicConstraints,
      (found, { expected }) =>
        readBasicConstraints(found).pathLength !== expected.pathLength && 'differs from the profile',
    ),
  },
  path_length_of_authority: {
    source: 'RFC 5280 §4.2.1.9',
    about: 'pathLenConstraint stands only where basicConstraints names an authority',
    check: extensionCheck(oids.basicConstraints, (found) => {
      const { authority, pathLength } = readBasicConstraints(found);
      return !authority && pathLength !== undefined && 'pathLenConstraint without an authority';
    }),
  },
  path_length_left: {
    source: 'RFC 5280 §4.2.1.9, §6.1.4',
    appliesTo: 'authority',
    about: 'the issuer may have an authority below it',
    check: (_, { issuer }) => {
      const above = issuer && findExtension(issuer, oids.basicConstraints);
      return above && readBasicConstraints(above).pathLength === 0 && "the issuer's pathLenConstraint is 0";
    },
  },
  issuer_signs_certificates: {
    source: 'RFC 5280 §4.2.1.3, §6.1.4',
    about: 'the issuer is an authority whose key may sign certificates',
    check: (certificate, { issuer }) => {
      const above = issuer ?? certificate;
      const constraints = findExtension(above, oids.basicConstraints);
      const usage = findExtension(above, oids.keyUsage);
      const may =
        constraints &&
        readBasicConstraints(constraints).authority &&
        usage &&
        readKeyUsage(usage).includes(keyCertSign);
      return !may && 'its own certificate does not allow it';
    },
  },
  extended_key_usage_subscriber_only: {
    source: 'RFC 5280 §4.2.1.12; CABF BR §7.1.2',
    appliesTo: 'authority',
    about: 'an authority states no purposes: they would bind all certificates below it',
    check: (certificate) => findExtension(certificate, oids.extKeyUsage) && 'extKeyUsage of an authority',
  },
  extended_key_usage_purposes: {
    source: "RFC 9336 §3; operator's profile",
    appliesTo: 'subscriber',
    about:
      'the purposes stated are documentSigning, emailProtection and Adobe authentic documents, all three and no other',
    check: extensionCheck(oids.extKeyUsage, (found) => {
      const stated = readPurposes(found);
      const foreign = stated.find((purpose) => !signing.has(purpose));
      const missing = documentSigningPurposes.find((purpose) => !stated.includes(purpose));
      return (
        (foreign && `${foreign} is not a purpose of a signing certificate`) ||
        (missing && `${missing} is left out`)
      );
    }),
  },
  extended_key_usage_no_any: {
    source: 'RFC 5280 §4.2.1.12; CABF BR §7.1.2.7',
    about: 'anyExtendedKeyUsage is not stated: it would take all others back',
    check: extensionCheck(
      oids.extKeyUsage,
      (found) => readPurposes(found).includes(oids.anyExtendedKeyUsage) && 'anyExtendedKeyUsage is stated',
    ),
  },
  extended_key_usage_once: {
    source: 'RFC 5280 §4.2.1.12',
    about: 'no purpose stands twice',
    check: extensionCheck(oids.extKeyUsage, (found) => {
      const repeated = firstRepeated(readPurposes(found));
      return repeated && `${repeated} more than once`;
    }),
  },
  document_signing_key_usage: {
    source: 'RFC 9336 §3',
    about: 'a key for signing documents may sign: digitalSignature or nonRepudiation',
    check: extensionCheck(oids.extKeyUsage, (found, { certificate }) => {
      const usage = findExtension(certificate, oids.keyUsage);
      if (usage === undefined || !readPurposes(found).includes(oids.documentSigning)) return undefined;
      const bits = readKeyUsage(usage);
      return !bits.includes(digitalSignature) && !bits.includes(nonRepudiation) && 'keyUsage forbids it';
    }),
  },
});
