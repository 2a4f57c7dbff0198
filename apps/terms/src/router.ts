import { createAuditUseCases } from '@rubrica/audit/procedures';
import { implement, type ServiceRouters } from '@rubrica/wiring';
import { translateDatabaseFault } from '@rubrica/wiring/database';
import { createActiveTerms } from './active-terms/active-terms.ts';
import { createAdministratorUseCases } from './approvals/administrator-use-cases.ts';
import type { TermsDeps } from './context.ts';
import { createListTerms } from './list-terms/list-terms.ts';
import { auditLog } from './store/audit-log.ts';

/** Connects each row of the calls tables of this service to its use case. */
export function createRouters(deps: TermsDeps): ServiceRouters {
  return implement('terms', {
    calls: {
      'terms.active': createActiveTerms(deps),
    },
    operators: {
      'terms.list': createListTerms(deps),
      ...createAdministratorUseCases(deps),
      ...createAuditUseCases(auditLog, deps),
    },
    translate: translateDatabaseFault,
  });
}
