import { createHash } from 'node:crypto';
import type { ParsedCertificate } from '../../certificate/parse.ts';
import {
  findExtension,
  readAccessDescriptions,
  readAuthorityKeyIdentifier,
  readDistributionPoints,
  readSubjectKeyIdentifier,
} from '../../certificate/parse-extensions.ts';
import { oids } from '../../oids.ts';
import type { LintRule } from '../rule.ts';

/** Fetching over https would need the very certificates that are being checked (RFC 5280 §8). */
const isHttp = (uri: string) => /^http:\/\/[^\s/]+\/\S+$/.test(uri);

function accessUris(certificate: ParsedCertificate, method: string): string[] {
  const extension = findExtension(certificate, oids.authorityInfoAccess);
  if (extension === undefined) return [];
  return readAccessDescriptions(extension)
    .filter((description) => description.method === method)
    .map(({ uri }) => uri);
}

/** Where the checker of a certificate finds its authority, its status and its key. */
export const identifierRules: readonly LintRule[] = [
  {
    id: 'authority_key_identifier_present',
    source: 'RFC 5280 §4.2.1.1',
    severity: 'error',
    appliesTo: 'any',
    check: (certificate) => {
      const extension = findExtension(certificate, oids.authorityKeyIdentifier);
      if (extension === undefined) return 'no authorityKeyIdentifier';
      return readAuthorityKeyIdentifier(extension) ? undefined : 'no keyIdentifier in it';
    },
  },
  {
    id: 'authority_key_identifier_matches',
    source: 'RFC 5280 §4.2.1.1',
    severity: 'error',
    appliesTo: 'any',
    check: (certificate, { issuer }) => {
      const own = findExtension(certificate, oids.authorityKeyIdentifier);
      const authoritys = findExtension(issuer ?? certificate, oids.subjectKeyIdentifier);
      const keyId = own && readAuthorityKeyIdentifier(own);
      if (!keyId) return undefined;
      const matches = authoritys && Buffer.compare(keyId, readSubjectKeyIdentifier(authoritys)) === 0;
      return matches ? undefined : "differs from the authority's subjectKeyIdentifier";
    },
  },
  {
    id: 'subject_key_identifier_present',
    source: 'RFC 5280 §4.2.1.2',
    severity: 'error',
    appliesTo: 'any',
    check: (certificate) =>
      findExtension(certificate, oids.subjectKeyIdentifier) ? undefined : 'no subjectKeyIdentifier',
  },
  {
    id: 'subject_key_identifier_of_key',
    source: 'RFC 7093 §2, method 1',
    severity: 'error',
    appliesTo: 'any',
    check: (certificate) => {
      const extension = findExtension(certificate, oids.subjectKeyIdentifier);
      if (extension === undefined) return undefined;
      const wanted = createHash('sha256').update(certificate.publicKey.bits).digest().subarray(0, 20);
      return wanted.equals(readSubjectKeyIdentifier(extension)) ? undefined : 'not derived from the key';
    },
  },
  {
    id: 'access_ca_issuers',
    source: 'ETSI EN 319 412-2 §4.4.1',
    severity: 'error',
    appliesTo: 'any',
    check: (certificate, { issuer }) =>
      issuer === undefined || accessUris(certificate, oids.caIssuers).some(isHttp)
        ? undefined
        : 'no http address of the issuer certificate',
  },
  {
    id: 'access_ocsp',
    source: 'ETSI EN 319 412-2 §4.4.1',
    severity: 'error',
    appliesTo: 'holder',
    check: (certificate) =>
      accessUris(certificate, oids.ocsp).some(isHttp) ? undefined : 'no http address of an OCSP responder',
  },
  {
    id: 'crl_distribution_points',
    source: 'ETSI EN 319 412-2 §4.3.11; RFC 5280 §4.2.1.13',
    severity: 'error',
    appliesTo: 'any',
    check: (certificate, { issuer }) => {
      if (issuer === undefined) return undefined;
      const extension = findExtension(certificate, oids.crlDistributionPoints);
      if (extension === undefined) return 'no cRLDistributionPoints';
      return readDistributionPoints(extension).some(isHttp) ? undefined : 'no http address in it';
    },
  },
];
