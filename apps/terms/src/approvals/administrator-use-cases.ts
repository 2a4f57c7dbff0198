import { createApprovals } from '@rubrica/approvals/create-approvals';
import { createRemoteAdministrators } from '@rubrica/approvals/remote-administrators';
import { createActivateVersion } from '../activate-version/activate-version.ts';
import type { TermsDeps } from '../context.ts';
import { createCreateVersion } from '../create-version/create-version.ts';

/** Creates the changes for administrators. The row of each change says whether it needs an approver. */
export function createAdministratorUseCases(deps: TermsDeps) {
  return createApprovals({
    ...deps,
    service: 'terms',
    administrators: createRemoteAdministrators({ ...deps, service: 'terms' }),
    changes: {
      'terms.createVersion': createCreateVersion(deps),
      'terms.activate': createActivateVersion(deps),
    },
  });
}
