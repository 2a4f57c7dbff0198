import * as extension from '../../src/certificate/extensions.ts';
import { readNode } from '../../src/der/read.ts';
import * as der from '../../src/der/write.ts';
import { oids } from '../../src/oids.ts';
import { parsed, publication } from '../fixtures.ts';
import { type Change, drop, type LintCases, replace, revalue, subscriber } from './lint-case.ts';

const email = (address: string) => der.implicitPrimitive(1, Buffer.from(address));
const alternativeNames = (...names: Uint8Array[]) => revalue(oids.subjectAltName, der.sequence(...names));
const uri = (address: string) => der.implicitPrimitive(6, Buffer.from(address));

const { caIssuersUri, ocspUri, crlUri } = publication;
const access = (method: string, location: Uint8Array) => der.sequence(der.oid(method), location);
const both = [access(oids.ocsp, uri(ocspUri)), access(oids.caIssuers, uri(caIssuersUri))];
const accesses = (...all: Uint8Array[]) => revalue(oids.authorityInfoAccess, der.sequence(...all));

const named = (...addresses: string[]) =>
  der.encodeExplicit(0, der.implicitConstructed(0, ...addresses.map(uri)));
const points = (...content: Uint8Array[]) =>
  revalue(oids.crlDistributionPoints, der.sequence(der.sequence(...content)));

/** The key identifier with issuer and serial number of one certificate of the authority beside it. */
const pinned: Change = (good, issuer) => {
  const { issuer: name, serial } = parsed(issuer.certificate);
  return revalue(
    oids.authorityKeyIdentifier,
    der.sequence(
      der.implicitPrimitive(0, issuer.identity.keyId),
      der.implicitConstructed(1, der.encodeExplicit(4, readNode(name.raw).raw)),
      der.implicitPrimitive(2, serial),
    ),
  )(good, issuer);
};

export const identifierCases: LintCases = {
  authority_key_identifier_present: subscriber(drop(oids.authorityKeyIdentifier)),
  authority_key_identifier_has_key: subscriber(revalue(oids.authorityKeyIdentifier, der.sequence())),
  authority_key_identifier_key_only: subscriber(pinned),
  authority_key_identifier_matches: subscriber(replace(extension.authorityKeyIdentifier(new Uint8Array(20)))),
  subject_key_identifier_present: subscriber(drop(oids.subjectKeyIdentifier)),
  subject_key_identifier_of_key: subscriber(replace(extension.subjectKeyIdentifier(new Uint8Array(20)))),
  alternative_name_kinds: subscriber(
    alternativeNames(email('maria@example.test'), der.implicitPrimitive(2, Buffer.from('example.test'))),
  ),
  alternative_name_email_form: subscriber(alternativeNames(email('María <maria@example.test>')), {
    good: alternativeNames(email("o'maria+firma@example.test")),
  }),
  alternative_name_once: subscriber(
    alternativeNames(email('maria@example.test'), email('maria@example.test')),
    {
      good: alternativeNames(email('maria@example.test'), email('ventas@example.test')),
    },
  ),
};

export const addressCases: LintCases = {
  access_present: subscriber(drop(oids.authorityInfoAccess)),
  access_ca_issuers: subscriber(accesses(access(oids.ocsp, uri(ocspUri)))),
  access_ocsp: subscriber(accesses(access(oids.caIssuers, uri(caIssuersUri)))),
  access_addresses_http: subscriber(
    accesses(...both, access(oids.caIssuers, uri('https://pki.example.test/a.cer'))),
  ),
  access_locations_are_uris: subscriber(
    accesses(...both, access(oids.caIssuers, der.implicitPrimitive(2, Buffer.from('pki.example.test')))),
  ),
  access_methods_known: subscriber(accesses(...both, access('1.3.6.1.5.5.7.48.5', uri(caIssuersUri)))),
  access_once: subscriber(accesses(...both, access(oids.ocsp, uri(ocspUri)))),
  crl_points_present: subscriber(drop(oids.crlDistributionPoints)),
  crl_points_name_address: subscriber(points(named())),
  crl_points_http: subscriber(points(named(crlUri, 'ldap://directory.example.test/cn=ca')), {
    good: points(named(crlUri, 'http://mirror.example.test/issuing.crl')),
  }),
  crl_points_whole_list: subscriber(points(named(crlUri), der.implicitPrimitive(1, Uint8Array.of(1, 0x40)))),
};
