import * as extension from '../../src/certificate/extensions.ts';
import { oids } from '../../src/oids.ts';
import { add, drop, type LintCases, replace, responder } from './lint-case.ts';
import { between } from './structure-cases.ts';

export const responderCases: LintCases = {
  responder_extensions: responder(
    add(extension.crlDistributionPoints('http://pki.example.test/pki/issuing.crl')),
  ),
  responder_purpose: responder(replace(extension.documentSigningUsage())),
  responder_no_check: responder(drop(oids.ocspNoCheck)),
  responder_short_life: responder(between('2026-12-01T00:00:00Z', '2027-12-01T00:00:00Z')),
};
