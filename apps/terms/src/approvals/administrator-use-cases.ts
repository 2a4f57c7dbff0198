import { askIntake, createApprovals } from '@rubrica/wiring/approvals';
import { createActivateVersion } from '../activate-version/activate-version.ts';
import type { TermsDeps } from '../context.ts';
import { createCreateVersion } from '../create-version/create-version.ts';

/** Creates the changes for administrators. The row of each change says whether it needs an approver. */
export function createAdministratorUseCases(deps: TermsDeps) {
  return createApprovals({
    ...deps,
    service: 'terms',
    administrators: askIntake('terms', deps),
    changes: {
      'terms.createVersion': createCreateVersion(deps),
      'terms.activate': createActivateVersion(deps),
    },
  });
}
