import { createApprovals } from '@rubrica/approvals/create-approvals';
import { createRemoteAdministrators } from '@rubrica/approvals/remote-administrators';
import type { GenerationDeps } from '../context.ts';
import {
  createHoldCertificate,
  createReleaseCertificate,
  createRevokeCertificate,
} from './change-for-operator.ts';
import { createRevokeMany } from './revoke-many.ts';

/** Creates the changes for administrators. The row of each change says whether it needs an approver. */
export function createAdministratorUseCases(deps: GenerationDeps) {
  return createApprovals({
    ...deps,
    service: 'generation',
    log: 'certificates',
    administrators: createRemoteAdministrators({ ...deps, service: 'generation' }),
    changes: {
      'certificates.revoke': createRevokeCertificate(deps),
      'certificates.revokeMany': createRevokeMany(deps),
      'certificates.hold': createHoldCertificate(deps),
      'certificates.release': createReleaseCertificate(deps),
    },
  });
}
