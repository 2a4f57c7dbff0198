import { askIntake, createApprovals } from '@rubrica/wiring/approvals';
import { createActivateVersion } from '../activate-version/activate-version.ts';
import type { TermsDeps } from '../context.ts';
import { createCreateVersion } from '../create-version/create-version.ts';

/** What administrators change, at once or with a second one, as each row says. */
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
