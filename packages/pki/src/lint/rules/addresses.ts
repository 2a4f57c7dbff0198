import { readAccessDescriptions, readDistributionPoints } from '../../certificate/parse-extensions.ts';
import { readNode } from '../../der/read.ts';
import { oids } from '../../oids.ts';
import { extensionCheck, firstRepeated, hasExtension } from '../checks.ts';
import { type Check, ruleTable } from '../rule.ts';

const URI = 0x86;
const DISTRIBUTION_POINT = 0xa0;

/**
 * Tells whether an address uses http. Fetching over https would need the very certificates that are being checked (RFC
 * 5280 §8).
 */
function isHttp(uri: string) {
  return /^http:\/\/[^\s/@]+\/\S+$/.test(uri);
}

/** Creates a check that the extension names at least one address for this method. */
function hasAddress(method: string, what: string): Check {
  return extensionCheck(
    oids.authorityInfoAccess,
    (found) =>
      !readAccessDescriptions(found).some((access) => access.method === method) && `no address of ${what}`,
  );
}

/** Rules on the addresses of authority and status. A root, which signs itself, needs neither. */
export const addressRules = ruleTable({
  access_present: {
    source: 'ETSI EN 319 412-2 §4.4.1',
    about: 'authorityInfoAccess is there',
    check: (certificate, expected) =>
      expected.issuer && hasExtension(oids.authorityInfoAccess, 'authorityInfoAccess')(certificate, expected),
  },
  access_ca_issuers: {
    source: 'ETSI EN 319 412-2 §4.4.1',
    about: "authorityInfoAccess names the issuer's certificate",
    check: hasAddress(oids.caIssuers, "the issuer's certificate"),
  },
  access_ocsp: {
    source: 'ETSI EN 319 412-2 §4.4.1',
    appliesTo: 'subscriber',
    about: 'authorityInfoAccess names an OCSP responder',
    check: hasAddress(oids.ocsp, 'an OCSP responder'),
  },
  access_addresses_http: {
    source: 'RFC 5280 §4.2.2.1, §8',
    about: 'every address in authorityInfoAccess is http',
    check: extensionCheck(
      oids.authorityInfoAccess,
      (found) => !readAccessDescriptions(found).every(({ uri }) => isHttp(uri)) && 'an address is not http',
    ),
  },
  access_locations_are_uris: {
    source: 'RFC 5280 §4.2.2.1; CABF BR §7.1.2.7.7',
    about: 'every location in authorityInfoAccess is a URI',
    check: extensionCheck(
      oids.authorityInfoAccess,
      ({ value }) =>
        readNode(value).children.some(({ children }) => children[1]?.tag !== URI) && 'a location is no URI',
    ),
  },
  access_methods_known: {
    source: 'CABF BR §7.1.2.7.7',
    about: 'authorityInfoAccess holds OCSP and caIssuers only',
    check: extensionCheck(oids.authorityInfoAccess, (found) => {
      const known: readonly string[] = [oids.ocsp, oids.caIssuers];
      const stranger = readAccessDescriptions(found).find(({ method }) => !known.includes(method));
      return stranger && `${stranger.method} is another method`;
    }),
  },
  access_once: {
    source: 'CABF BR §7.1.2.7.7',
    about: 'no address stands twice in authorityInfoAccess',
    check: extensionCheck(oids.authorityInfoAccess, (found) => {
      const all = readAccessDescriptions(found).map(({ method, uri }) => `${method} ${uri}`);
      return firstRepeated(all) !== undefined && 'an address stands twice';
    }),
  },
  crl_points_present: {
    source: 'ETSI EN 319 412-2 §4.3.11; RFC 5280 §4.2.1.13',
    about: 'cRLDistributionPoints is there',
    check: (certificate, expected) =>
      expected.issuer &&
      hasExtension(oids.crlDistributionPoints, 'cRLDistributionPoints')(certificate, expected),
  },
  crl_points_name_address: {
    source: 'ETSI EN 319 412-2 §4.3.11',
    about: 'cRLDistributionPoints names an address',
    check: extensionCheck(
      oids.crlDistributionPoints,
      (found) => readDistributionPoints(found).length === 0 && 'no address in it',
    ),
  },
  crl_points_http: {
    source: 'ETSI EN 319 412-2 §4.3.11; RFC 5280 §8',
    about: 'every address in cRLDistributionPoints is http',
    check: extensionCheck(
      oids.crlDistributionPoints,
      (found) => !readDistributionPoints(found).every(isHttp) && 'an address is not http',
    ),
  },
  crl_points_whole_list: {
    source: 'RFC 5280 §4.2.1.13; CABF BR §7.1.2.11.2',
    about: 'a distribution point is neither limited to some reasons nor given to another issuer',
    check: extensionCheck(
      oids.crlDistributionPoints,
      ({ value }) =>
        readNode(value).children.some(({ children }) =>
          children.some(({ tag }) => tag !== DISTRIBUTION_POINT),
        ) && 'reasons or cRLIssuer in it',
    ),
  },
});
