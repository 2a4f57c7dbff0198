import { auditRouter } from '@rubrica/wiring/audit';
import { activateVersionProcedure } from './activate-version/activate-version.procedure.ts';
import { activeTermsProcedure } from './active-terms/active-terms.procedure.ts';
import { auditLog } from './audit/audit-log.ts';
import { router } from './context.ts';
import { createVersionProcedure } from './create-version/create-version.procedure.ts';
import { listTermsProcedure } from './list-terms/list-terms.procedure.ts';

/** For other services. */
export const serviceRouter = router({
  terms: router({ active: activeTermsProcedure }),
});

/** For people, through the gateway. */
export const operatorRouter = router({
  terms: router({
    list: listTermsProcedure,
    createVersion: createVersionProcedure,
    activate: activateVersionProcedure,
  }),
  audit: auditRouter(auditLog),
});
