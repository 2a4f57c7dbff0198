import { isCertifiableEmail } from '../../certificate/extensions.ts';
import {
  findExtension,
  readAlternativeNames,
  readBasicConstraints,
  readKeyUsage,
  readPolicies,
  readPurposes,
} from '../../certificate/parse-extensions.ts';
import { isOid } from '../../der/write.ts';
import { oids } from '../../oids.ts';
import { keyUsageBits } from '../../profile/holder-profiles.ts';
import type { LintRule } from '../rule.ts';

const knownExtensions: ReadonlySet<string> = new Set([
  oids.subjectKeyIdentifier,
  oids.keyUsage,
  oids.subjectAltName,
  oids.basicConstraints,
  oids.crlDistributionPoints,
  oids.certificatePolicies,
  oids.authorityKeyIdentifier,
  oids.extKeyUsage,
  oids.authorityInfoAccess,
]);

/** Extensions that RFC 5280 wants critical; every other one we use must not be. */
const criticalExtensions: ReadonlySet<string> = new Set([oids.keyUsage, oids.basicConstraints]);

/** Extensions as a whole, and those that say what the key may do. */
export const extensionRules: readonly LintRule[] = [
  {
    id: 'extensions_once',
    source: 'RFC 5280 §4.2',
    severity: 'error',
    appliesTo: 'any',
    check: ({ extensions }) => {
      const repeated = extensions.find(
        ({ oid }, index) => extensions.findIndex((e) => e.oid === oid) < index,
      );
      return repeated && `${repeated.oid} more than once`;
    },
  },
  {
    id: 'extensions_known',
    source: "operator's profile",
    severity: 'error',
    appliesTo: 'any',
    check: ({ extensions }) => {
      const stranger = extensions.find(({ oid }) => !knownExtensions.has(oid));
      return stranger && `${stranger.oid} is part of no profile`;
    },
  },
  {
    id: 'extensions_criticality',
    source: 'RFC 5280 §4.2.1, §4.2.2',
    severity: 'error',
    appliesTo: 'any',
    check: ({ extensions }) => {
      const wrong = extensions.find(({ oid, critical }) => critical !== criticalExtensions.has(oid));
      return wrong && `${wrong.oid} is ${wrong.critical ? '' : 'not '}critical`;
    },
  },
  {
    id: 'extensions_default_omitted',
    source: 'X.690 §11.5',
    severity: 'error',
    appliesTo: 'any',
    check: ({ extensions }) => {
      const written = extensions.find(({ defaultWritten }) => defaultWritten);
      return written && `${written.oid} writes critical FALSE out`;
    },
  },
  {
    id: 'key_usage_present',
    source: 'RFC 5280 §4.2.1.3; ETSI EN 319 412-2 §4.3.2',
    severity: 'error',
    appliesTo: 'any',
    check: (certificate) => (findExtension(certificate, oids.keyUsage) ? undefined : 'no keyUsage'),
  },
  {
    id: 'key_usage_bits',
    source: 'ETSI EN 319 412-2 §4.3.2; RFC 5280 §4.2.1.3',
    severity: 'error',
    appliesTo: 'any',
    check: (certificate, { keyUsage }) => {
      const extension = findExtension(certificate, oids.keyUsage);
      if (extension === undefined) return undefined;
      const wanted = keyUsage.map((bit) => keyUsageBits[bit]).toSorted();
      const found = readKeyUsage(extension);
      return wanted.join() === found.join() ? undefined : `exactly ${keyUsage.join(' and ')} must be set`;
    },
  },
  {
    id: 'basic_constraints_holder',
    source: 'RFC 5280 §4.2.1.9',
    severity: 'error',
    appliesTo: 'holder',
    check: (certificate) => {
      const extension = findExtension(certificate, oids.basicConstraints);
      return extension && readBasicConstraints(extension).authority ? 'a holder is no authority' : undefined;
    },
  },
  {
    id: 'basic_constraints_authority',
    source: 'RFC 5280 §4.2.1.9',
    severity: 'error',
    appliesTo: 'authority',
    check: (certificate, { pathLength }) => {
      const extension = findExtension(certificate, oids.basicConstraints);
      if (extension === undefined) return 'no basicConstraints';
      const found = readBasicConstraints(extension);
      if (!found.authority) return 'cA is not set';
      return found.pathLength === pathLength ? undefined : 'pathLenConstraint differs from the profile';
    },
  },
  {
    id: 'policies_present',
    source: 'ETSI EN 319 412-2 §4.3.3',
    severity: 'error',
    appliesTo: 'any',
    check: (certificate, { policy }) =>
      policy !== undefined && !findExtension(certificate, oids.certificatePolicies)
        ? 'no certificatePolicies'
        : undefined,
  },
  {
    id: 'policies_of_profile',
    source: "RFC 5280 §4.2.1.4; operator's profile",
    severity: 'error',
    appliesTo: 'any',
    check: (certificate, { policy }) => {
      const extension = findExtension(certificate, oids.certificatePolicies);
      if (extension === undefined || policy === undefined) return undefined;
      const found = readPolicies(extension);
      if (new Set(found).size !== found.length) return 'a policy is repeated';
      return found.includes(policy) && isOid(policy) ? undefined : `${policy} is not asserted`;
    },
  },
  {
    id: 'extended_key_usage_sound',
    source: 'RFC 5280 §4.2.1.12; RFC 9336',
    severity: 'error',
    appliesTo: 'any',
    check: (certificate) => {
      const extension = findExtension(certificate, oids.extKeyUsage);
      if (extension === undefined) return undefined;
      const foreign = readPurposes(extension).find((purpose) => purpose !== oids.documentSigning);
      return foreign && `${foreign} is not a purpose of a signing certificate`;
    },
  },
  {
    id: 'alternative_name_is_email',
    source: 'RFC 5280 §4.2.1.6',
    severity: 'error',
    appliesTo: 'any',
    check: (certificate) => {
      const extension = findExtension(certificate, oids.subjectAltName);
      if (extension === undefined) return undefined;
      const sound = readAlternativeNames(extension).every(
        ({ tag, content }) => tag === 0x81 && isCertifiableEmail(Buffer.from(content).toString('latin1')),
      );
      return sound ? undefined : 'holds something else than ASCII e-mail addresses';
    },
  },
];
