import type { KeyAlgorithm } from '../certificate/algorithms.ts';
import { subscriberPolicy } from '../certificate/build.ts';
import { type ParsedCertificate, parseCertificate } from '../certificate/parse.ts';
import { readSafely } from '../der/read.ts';
import type { AuthorityProfile, ResponderProfile } from '../profile/authority-profiles.ts';
import type { IdentityFieldSettings } from '../profile/identity-fields.ts';
import type { SubscriberProfile } from '../profile/subscriber-profiles.ts';
import type { LintExpectation, LintFinding, LintRule } from './rule.ts';
import { addressRules } from './rules/addresses.ts';
import { extensionRules } from './rules/extensions.ts';
import { identifierRules } from './rules/identifiers.ts';
import { identityFieldRules } from './rules/identity-fields.ts';
import { keyRules } from './rules/key.ts';
import { policyRules } from './rules/policies.ts';
import { notForResponders, responderRules } from './rules/responder.ts';
import { structureRules } from './rules/structure.ts';
import { subjectRules } from './rules/subject.ts';
import { subjectTextRules } from './rules/subject-text.ts';
import { usageRules } from './rules/usage.ts';
import { validityRules } from './rules/validity.ts';

/** Rule that a certificate can be read. It precedes all others, which cannot check an unreadable certificate. */
const readable = {
  id: 'certificate_readable',
  source: 'RFC 5280 §4.1; X.690 §8.3, §10.1, §11.1',
  severity: 'error',
  appliesTo: 'any',
  about: 'the certificate has the parts of its definition, in the shortest definite DER',
  check: () => undefined,
} as const satisfies LintRule;

/** All rules of the linter. */
export const lintRules: readonly LintRule[] = [
  readable,
  ...structureRules,
  ...validityRules,
  ...subjectTextRules,
  ...subjectRules,
  ...keyRules,
  ...extensionRules,
  ...usageRules,
  ...policyRules,
  ...identifierRules,
  ...identityFieldRules,
  ...addressRules,
  ...responderRules,
];

/**
 * Checks a certificate, best the one signed with a throw-away key before the real signature. An unreadable certificate
 * gives one finding. Never throws on any bytes.
 */
export function lintCertificate(der: Uint8Array, expected: LintExpectation): LintFinding[] {
  const parsed = parseCertificate(der);
  if (!parsed.ok) return [toFinding(readable, parsed.error.reason)];
  return lintRules
    .filter((rule) => isApplicable(rule, expected.kind))
    .flatMap((rule) => {
      const outcome = readSafely(() => rule.check(parsed.value, expected));
      const message = outcome.ok ? outcome.value : `unreadable: ${outcome.error.reason}`;
      return message ? [toFinding(rule, message)] : [];
    });
}

function isApplicable({ id, appliesTo }: LintRule, kind: LintExpectation['kind']): boolean {
  return appliesTo === kind || (appliesTo === 'any' && !(kind === 'responder' && notForResponders.has(id)));
}

function toFinding({ id, source, severity }: LintRule, message: string): LintFinding {
  return {
    rule: id,
    source,
    severity,
    message,
  };
}

/** Tells whether a finding forbids the signature. */
export function blocksIssuance(findings: readonly LintFinding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/** Expectation for the certificate of a subscriber. */
export function subscriberExpectation(input: {
  profile: SubscriberProfile;
  issuer: ParsedCertificate;
  policyArc: string;
  rucPrefix: string;
  identityFields: IdentityFieldSettings;
  keyAlgorithm: KeyAlgorithm;
  notAfterLimit: Date;
}): LintExpectation {
  return {
    kind: 'subscriber',
    issuer: input.issuer,
    requiredSubject: input.profile.subject.filter((type) => type !== 'localityName'),
    keyUsage: input.profile.keyUsage,
    policy: subscriberPolicy(input.profile, input.policyArc),
    pathLength: undefined,
    keyAlgorithm: input.keyAlgorithm,
    rucPrefix: input.rucPrefix,
    identityFields: input.identityFields,
    notAfterLimit: input.notAfterLimit,
  };
}

/** Expectation for the certificate of an authority. */
export function authorityExpectation(input: {
  profile: AuthorityProfile;
  issuer: ParsedCertificate | undefined;
  keyAlgorithm: KeyAlgorithm;
  notAfterLimit: Date;
}): LintExpectation {
  return {
    kind: 'authority',
    issuer: input.issuer,
    requiredSubject: ['countryName', 'organizationName', 'commonName'],
    keyUsage: input.profile.keyUsage,
    policy: undefined,
    pathLength: input.profile.pathLength,
    keyAlgorithm: input.keyAlgorithm,
    rucPrefix: 'VATEC',
    notAfterLimit: input.notAfterLimit,
  };
}

/** Expectation for the certificate of an OCSP responder. */
export function responderExpectation(input: {
  profile: ResponderProfile;
  issuer: ParsedCertificate;
  keyAlgorithm: KeyAlgorithm;
  notAfterLimit: Date;
}): LintExpectation {
  return {
    kind: 'responder',
    issuer: input.issuer,
    requiredSubject: ['countryName', 'organizationName', 'commonName'],
    keyUsage: input.profile.keyUsage,
    policy: undefined,
    pathLength: undefined,
    keyAlgorithm: input.keyAlgorithm,
    rucPrefix: 'VATEC',
    notAfterLimit: input.notAfterLimit,
  };
}
