import { expectTag, member, readNode, readOid } from '../../der/read.ts';
import { tags } from '../../der/write.ts';
import { oids } from '../../oids.ts';
import { extensionCheck, firstRepeated } from '../checks.ts';
import { ruleTable } from '../rule.ts';

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

/** Extensions that RFC 5280 requires to be critical; every other one we use must not be. */
const criticalExtensions: ReadonlySet<string> = new Set([oids.keyUsage, oids.basicConstraints]);

/** id-etsi-qcs: statements with which a certificate claims to be qualified under the law of the European Union. */
const QC_COMPLIANCE_ARC = '0.4.0.1862.1.';

/** Rules on the list of extensions. */
export const extensionRules = ruleTable({
  extensions_once: {
    source: 'RFC 5280 §4.2',
    about: 'no extension stands twice',
    check: ({ extensions }) => {
      const repeated = firstRepeated(extensions.map(({ oid }) => oid));
      return repeated && `${repeated} more than once`;
    },
  },
  extensions_known: {
    source: "operator's profile",
    about: 'every extension is part of a profile',
    check: ({ extensions }, { identityFields }) => {
      const isField = (oid: string) =>
        identityFields !== undefined && oid.startsWith(`${identityFields.arc}.`);
      const stranger = extensions.find(({ oid }) => !knownExtensions.has(oid) && !isField(oid));
      return stranger && `${stranger.oid} is part of no profile`;
    },
  },
  extensions_are_der: {
    source: 'RFC 5280 §4.2; X.690 §10.1',
    about: 'the value of every extension is one DER value',
    // `readNode` refuses other encodings; the finding names the reason.
    check: ({ extensions }) => {
      for (const { value } of extensions) readNode(value);
      return undefined;
    },
  },
  extensions_not_critical: {
    source: 'RFC 5280 §4.2.1, §4.2.2',
    about: 'extensions other than keyUsage and basicConstraints are not critical',
    check: ({ extensions }) => {
      const wrong = extensions.find(({ oid, critical }) => critical && !criticalExtensions.has(oid));
      return wrong && `${wrong.oid} is critical`;
    },
  },
  extensions_default_omitted: {
    source: 'X.690 §11.5',
    about: 'critical FALSE is not written out',
    check: ({ extensions }) => {
      const written = extensions.find(({ defaultWritten }) => defaultWritten);
      return written && `${written.oid} writes critical FALSE out`;
    },
  },
  qualified_statements_not_claimed: {
    source: 'ETSI EN 319 412-5 §4.2.1',
    about:
      'nothing claims to be qualified under the law of the European Union, to which these certificates are foreign',
    check: extensionCheck(oids.qcStatements, ({ value }) => {
      const statements = expectTag(readNode(value), tags.sequence).children.map((statement) =>
        readOid(member(statement, 0, tags.objectIdentifier)),
      );
      const claim = statements.find((id) => id.startsWith(QC_COMPLIANCE_ARC));
      return claim && `${claim} is stated`;
    }),
  },
});
