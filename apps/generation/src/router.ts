import { auditRouter } from '@rubrica/wiring/audit';
import { auditLog } from './audit/audit-log.ts';
import { certificateByRequestProcedure } from './certificates/certificate-by-request.procedure.ts';
import { getCertificateProcedure } from './certificates/get-certificate.procedure.ts';
import { searchCertificatesProcedure } from './certificates/search-certificates.procedure.ts';
import { router } from './context.ts';
import { ocspProcedure } from './ocsp/ocsp.procedure.ts';
import { pkiFileProcedure, pkiIndexProcedure } from './pki-files/pki-files.procedures.ts';
import { releaseBundleProcedure } from './release-bundle/release-bundle.procedure.ts';
import {
  bundleHoldingProcedure,
  purgeBundlesProcedure,
  retainBundlesProcedure,
} from './retention/retention.procedures.ts';
import {
  holdCertificateProcedure,
  releaseCertificateProcedure,
  revokeCertificateProcedure,
} from './revoke-certificate/operators.procedures.ts';
import { revokeForPartnerProcedure } from './revoke-certificate/revoke-for-partner.procedure.ts';

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
