import { readPolicies } from '../../certificate/parse-extensions.ts';
import { type DerNode, expectTag, member, readNode, readOid } from '../../der/read.ts';
import { readAscii } from '../../der/text.ts';
import { tags } from '../../der/write.ts';
import { oids } from '../../oids.ts';
import { extensionCheck, firstRepeated, hasExtension } from '../checks.ts';
import { type Fault, ruleTable } from '../rule.ts';

/** Lists the qualifiers of all policies, flattened. */
function listQualifiers(value: Uint8Array): DerNode[] {
  return readNode(value).children.flatMap((policy) => {
    const list = policy.children[1];
    return list === undefined ? [] : expectTag(list, tags.sequence).children;
  });
}

function qualifierFault(qualifier: DerNode): Fault {
  if (readOid(member(qualifier, 0, tags.objectIdentifier)) !== oids.cps) return undefined;
  const uri = readAscii(member(qualifier, 1, tags.ia5String).content);
  return !/^https?:\/\/[^\s/]+(\/\S*)?$/.test(uri) && 'not an http or https address';
}

/** Rules on the certificate policies. */
export const policyRules = ruleTable({
  policies_present: {
    source: 'ETSI EN 319 412-2 §4.3.3',
    about: 'certificatePolicies is there where the profile has a policy',
    check: (certificate, expected) =>
      expected.policy !== undefined &&
      hasExtension(oids.certificatePolicies, 'certificatePolicies')(certificate, expected),
  },
  policies_of_profile: {
    source: "RFC 5280 §4.2.1.4; operator's profile",
    about: 'the policy of the profile is asserted',
    check: extensionCheck(
      oids.certificatePolicies,
      (found, { expected: { policy } }) =>
        policy !== undefined && !readPolicies(found).includes(policy) && `${policy} is not asserted`,
    ),
  },
  policies_once: {
    source: 'RFC 5280 §4.2.1.4',
    about: 'no policy stands twice',
    check: extensionCheck(oids.certificatePolicies, (found) => {
      const repeated = firstRepeated(readPolicies(found));
      return repeated && `${repeated} more than once`;
    }),
  },
  policies_no_any_of_subscriber: {
    source: 'RFC 5280 §4.2.1.4; CABF BR §7.1.6.4',
    appliesTo: 'subscriber',
    about: 'a subscriber is not certified under anyPolicy',
    check: extensionCheck(
      oids.certificatePolicies,
      (found) => readPolicies(found).includes(oids.anyPolicy) && 'anyPolicy is asserted',
    ),
  },
  policy_qualifiers_are_cps: {
    source: 'RFC 5280 §4.2.1.4; CABF BR §7.1.2.7',
    about: 'the only qualifier is the address of the practice statement',
    check: extensionCheck(oids.certificatePolicies, ({ value }) => {
      const kinds = listQualifiers(value).map((one) => readOid(member(one, 0, tags.objectIdentifier)));
      const foreign = kinds.find((kind) => kind !== oids.cps);
      return foreign && `qualifier ${foreign}`;
    }),
  },
  policy_cps_address: {
    source: 'RFC 5280 §4.2.1.4',
    about: 'the practice statement is named by an http or https address',
    check: extensionCheck(oids.certificatePolicies, ({ value }) => {
      for (const qualifier of listQualifiers(value)) {
        const fault = qualifierFault(qualifier);
        if (fault) return fault;
      }
      return undefined;
    }),
  },
});
