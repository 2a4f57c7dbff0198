import { listAuditProcedure } from './audit/list-audit.procedure.ts';
import { verifyAuditProcedure } from './audit/verify-audit.procedure.ts';
import { certificateByRequestProcedure } from './certificates/certificate-by-request.procedure.ts';
import { getCertificateProcedure } from './certificates/get-certificate.procedure.ts';
import { searchCertificatesProcedure } from './certificates/search-certificates.procedure.ts';
import { router } from './context.ts';
import { pkiFileProcedure, pkiIndexProcedure } from './pki-files/pki-files.procedures.ts';
import { releaseBundleProcedure } from './release-bundle/release-bundle.procedure.ts';

/** For other services. */
export const serviceRouter = router({
  bundles: router({ release: releaseBundleProcedure }),
  certificates: router({ byRequest: certificateByRequestProcedure }),
  pki: router({ file: pkiFileProcedure, index: pkiIndexProcedure }),
});

/** For people, through the gateway. */
export const operatorRouter = router({
  audit: router({ list: listAuditProcedure, verify: verifyAuditProcedure }),
  certificates: router({ search: searchCertificatesProcedure, get: getCertificateProcedure }),
});
