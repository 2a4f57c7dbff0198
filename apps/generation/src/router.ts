import { auditRouter } from '@rubrica/wiring/audit';
import { releaseBundleProcedure } from './bundle/release-bundle.procedure.ts';
import { certificateByRequestProcedure } from './certificate/certificate-by-request.procedure.ts';
import { getCertificateProcedure } from './certificate/get-certificate.procedure.ts';
import { searchCertificatesProcedure } from './certificate/search-certificates.procedure.ts';
import { router } from './context.ts';
import { ocspProcedure } from './ocsp/ocsp.procedure.ts';
import { pkiFileProcedure, pkiIndexProcedure } from './pki-files/pki-files.procedures.ts';
import {
  bundleHoldingProcedure,
  purgeBundlesProcedure,
  retainBundlesProcedure,
} from './retention/retention.procedures.ts';
import {
  holdCertificateProcedure,
  releaseCertificateProcedure,
  revokeCertificateProcedure,
} from './revocation/operators.procedures.ts';
import { revokeForPartnerProcedure } from './revocation/revoke-for-partner.procedure.ts';
import { auditLog } from './store/audit-log.ts';

/** For other services. */
export const serviceRouter = router({
  bundles: router({
    release: releaseBundleProcedure,
    purge: purgeBundlesProcedure,
    retain: retainBundlesProcedure,
    holding: bundleHoldingProcedure,
  }),
  certificates: router({ byRequest: certificateByRequestProcedure, revoke: revokeForPartnerProcedure }),
  pki: router({ file: pkiFileProcedure, index: pkiIndexProcedure, ocsp: ocspProcedure }),
});

/** For people, through the gateway. */
export const operatorRouter = router({
  audit: auditRouter(auditLog),
  certificates: router({
    search: searchCertificatesProcedure,
    get: getCertificateProcedure,
    revoke: revokeCertificateProcedure,
    hold: holdCertificateProcedure,
    release: releaseCertificateProcedure,
  }),
});
