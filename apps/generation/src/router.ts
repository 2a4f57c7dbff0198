import { createAuditUseCases } from '@rubrica/audit/procedures';
import { implement, type ServiceRouters } from '@rubrica/wiring';
import { translateDatabaseFault } from '@rubrica/wiring/database';
import { createReleaseBundle } from './bundle/release-bundle.ts';
import { auditLog } from './certificate/audit-log.ts';
import { createCertificateByRequest } from './certificate/certificate-by-request.ts';
import { createGetCertificate } from './certificate/get-certificate.ts';
import { createListCertificates } from './certificate/list-certificates.ts';
import { createNoteReading } from './certificate/note-reading.ts';
import { createSearchCertificates } from './certificate/search-certificates.ts';
import type { GenerationDeps } from './context.ts';
import { createListAuthorities } from './issuers/list-authorities.ts';
import { createPkiOcsp } from './ocsp/pki-ocsp.ts';
import { createPkiFile } from './pki-files/pki-file.ts';
import { createPkiIndex } from './pki-files/pki-index.ts';
import { createBundlesHolding } from './retention/bundles-holding.ts';
import { createPurgeDelivered } from './retention/purge-delivered.ts';
import { createRetainBundles } from './retention/retain-bundles.ts';
import { createAdministratorUseCases } from './revocation/administrator-use-cases.ts';
import { createRevokeForPartner } from './revocation/revoke-for-partner.ts';
import { createRevokeForSubscriber } from './revocation/revoke-for-subscriber.ts';
import { createRevokeSuperseded } from './revocation/revoke-superseded.ts';

/** Connects each row of the calls tables of this service to its use case. */
export function createRouters(deps: GenerationDeps): ServiceRouters {
  return implement('generation', {
    calls: {
      'bundles.release': createReleaseBundle(deps),
      'bundles.purge': createPurgeDelivered(deps),
      'bundles.retain': createRetainBundles(deps),
      'bundles.holding': createBundlesHolding(deps),
      'certificates.byRequest': createCertificateByRequest(deps),
      'certificates.list': createListCertificates(deps),
      'certificates.revoke': createRevokeForPartner(deps),
      'certificates.revokeForSubscriber': createRevokeForSubscriber(deps),
      'certificates.revokeSuperseded': createRevokeSuperseded(deps),
      'pki.file': createPkiFile(deps),
      'pki.index': createPkiIndex(deps),
      'pki.ocsp': createPkiOcsp(deps),
    },
    operators: {
      'certificates.search': createSearchCertificates(deps),
      'certificates.get': createGetCertificate(deps),
      'authorities.list': createListAuthorities(deps),
      ...createAdministratorUseCases(deps),
      ...createAuditUseCases(auditLog, deps),
    },
    noteReading: createNoteReading(deps),
    translate: translateDatabaseFault,
  });
}
