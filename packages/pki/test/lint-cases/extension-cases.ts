import * as extension from '../../src/certificate/extensions.ts';
import * as der from '../../src/der/write.ts';
import { oids } from '../../src/oids.ts';
import { parsed, publication } from '../fixtures.ts';
import { rebuild } from '../rebuild.ts';
import {
  add,
  authority,
  type Change,
  drop,
  type LintCases,
  recritical,
  replace,
  revalue,
  rsa,
  subscriber,
} from './lint-case.ts';

const { documentSigningPurposes } = extension;
const policy = `${publication.policyArc}.1.3.1`;
const constraints = (...content: Uint8Array[]) => ({
  oid: oids.basicConstraints,
  critical: true,
  value: der.sequence(...content),
});
const namedBits = (...octets: number[]) => der.tlv(der.tags.bitString, Uint8Array.from(octets));
const purposes = (...ids: string[]) => revalue(oids.extKeyUsage, der.sequence(...ids.map(der.oid)));
const policies = (...ids: string[]) =>
  revalue(oids.certificatePolicies, der.sequence(...ids.map((id) => der.sequence(der.oid(id)))));
const qualified = (qualifier: string, value: Uint8Array) =>
  revalue(
    oids.certificatePolicies,
    der.sequence(der.sequence(der.oid(policy), der.sequence(der.sequence(der.oid(qualifier), value)))),
  );

/** The first extension with its criticality written out. */
const writtenFalse: Change = (good) => {
  const encoded = parsed(good).extensions.map(({ oid, critical, value }) =>
    der.sequence(
      der.oid(oid),
      ...(critical || oid === oids.subjectKeyIdentifier ? [der.boolean(critical)] : []),
      der.octetString(value),
    ),
  );
  return rebuild(good, { rawExtensions: der.encodeExplicit(3, der.sequence(...encoded)) });
};

const wholeCases: LintCases = {
  extensions_once: subscriber(add(extension.documentSigningUsage())),
  extensions_known: subscriber(add({ oid: '1.3.6.1.4.1.32473.9', critical: false, value: der.nullValue() })),
  extensions_are_der: subscriber(
    add({ oid: '1.3.6.1.4.1.32473.9', critical: false, value: Uint8Array.of(4, 9) }),
    {
      also: ['extensions_known'],
    },
  ),
  extensions_not_critical: subscriber(recritical(oids.extKeyUsage)),
  extensions_default_omitted: subscriber(writtenFalse),
  qualified_statements_not_claimed: subscriber(
    add({
      oid: oids.qcStatements,
      critical: false,
      value: der.sequence(der.sequence(der.oid('0.4.0.1862.1.1'))),
    }),
    { also: ['extensions_known'] },
  ),
};

const usageCases: LintCases = {
  key_usage_present: subscriber(drop(oids.keyUsage)),
  key_usage_critical: subscriber(recritical(oids.keyUsage)),
  key_usage_not_empty: subscriber(revalue(oids.keyUsage, namedBits(0)), {
    also: ['key_usage_bits', 'document_signing_key_usage'],
  }),
  key_usage_minimal: subscriber(revalue(oids.keyUsage, namedBits(5, 0xc0))),
  key_usage_bits: subscriber(replace(extension.keyUsage(['digitalSignature', 'nonRepudiation', 'cRLSign']))),
  key_usage_of_key_type: rsa(
    replace(extension.keyUsage(['digitalSignature', 'nonRepudiation', 'keyAgreement'])),
    { also: ['key_usage_bits'] },
  ),
  key_usage_signs_certificates_as_authority: subscriber(
    replace(extension.keyUsage(['digitalSignature', 'nonRepudiation', 'keyCertSign'])),
    { also: ['key_usage_bits'] },
  ),
  basic_constraints_present: authority(drop(oids.basicConstraints), {
    also: ['key_usage_signs_certificates_as_authority'],
  }),
  basic_constraints_critical: authority(recritical(oids.basicConstraints)),
  basic_constraints_default_omitted: subscriber(add(constraints(der.boolean(false))), {
    good: add(constraints()),
  }),
  basic_constraints_subscriber: subscriber(add(constraints(der.boolean(true))), { good: add(constraints()) }),
  basic_constraints_authority: authority(replace(constraints()), {
    also: ['path_length_of_profile', 'key_usage_signs_certificates_as_authority'],
  }),
  path_length_of_profile: authority(replace(extension.authorityConstraints(1))),
  path_length_of_authority: subscriber(add(constraints(der.integer(0))), { good: add(constraints()) }),
  path_length_left: authority((good) => good, {
    expected: (expected, issuer) => ({
      ...expected,
      issuer: parsed(replace(extension.authorityConstraints(0))(issuer.certificate, issuer)),
    }),
  }),
  issuer_signs_certificates: subscriber((good) => good, {
    expected: (expected, issuer) => ({
      ...expected,
      issuer: parsed(replace(extension.keyUsage(['cRLSign']))(issuer.certificate, issuer)),
    }),
  }),
  extended_key_usage_subscriber_only: authority(add(extension.documentSigningUsage()), {
    also: ['document_signing_key_usage'],
  }),
  extended_key_usage_purposes: subscriber(purposes(...documentSigningPurposes, oids.clientAuth)),
  extended_key_usage_no_any: subscriber(purposes(oids.anyExtendedKeyUsage), {
    also: ['extended_key_usage_purposes'],
  }),
  extended_key_usage_once: subscriber(purposes(...documentSigningPurposes, oids.documentSigning)),
  document_signing_key_usage: subscriber(replace(extension.keyUsage(['dataEncipherment'])), {
    also: ['key_usage_bits'],
  }),
};

const policyCases: LintCases = {
  policies_present: subscriber(drop(oids.certificatePolicies)),
  policies_of_profile: subscriber(policies(`${publication.policyArc}.1.1.1`)),
  policies_once: subscriber(policies(policy, policy)),
  policies_no_any_of_subscriber: subscriber(policies(policy, oids.anyPolicy)),
  policy_qualifiers_are_cps: subscriber(qualified('1.3.6.1.5.5.7.2.2', der.sequence()), {
    good: qualified(oids.cps, der.ia5String('https://pki.example.test/cps')),
  }),
  policy_cps_address: subscriber(qualified(oids.cps, der.ia5String('pki.example.test/cps')), {
    good: qualified(oids.cps, der.ia5String('http://pki.example.test')),
  }),
};

export const extensionCases: LintCases = { ...wholeCases, ...usageCases, ...policyCases };
