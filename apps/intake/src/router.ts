import { createApprovals } from '@rubrica/approvals/create-approvals';
import { readingEntry, recordAudit } from '@rubrica/audit/log';
import { createAuditUseCases } from '@rubrica/audit/procedures';
import { implement, type ServiceRouters } from '@rubrica/wiring';

import { translateDatabaseFault } from '@rubrica/wiring/database';
import { createAdministrators } from './access/accounts/administrators.ts';
import { type AccessHandlerDeps, createAccessHandlers } from './access/handlers.ts';
import { auditLog } from './base/audit-log.ts';
import type { DeskDeps } from './desk/deps.ts';
import { createDeskHandlers } from './desk/handlers.ts';
import { createRequestsHandlers, type RequestsHandlerDeps } from './requests/handlers.ts';

interface Wings {
  readonly access: AccessHandlerDeps;
  readonly requests: RequestsHandlerDeps;
  readonly desk: DeskDeps;
}

/**
 * Implements every call of this service. The use case of each row of the call tables is in `handlers.ts` of a
 * wing.
 */
export function createRouters(wings: Wings): ServiceRouters {
  const { database, keyring, rows, clock, newId, tokenClock } = wings.access;
  const access = createAccessHandlers(wings.access);
  const requests = createRequestsHandlers(wings.requests);
  const desk = createDeskHandlers(wings.desk);
  const approvals = createApprovals({
    service: 'intake',
    database,
    rows,
    clock,
    newId,
    administrators: createAdministrators(wings.access),
    changes: { ...access.changes, ...requests.changes },
  });
  return implement('intake', {
    calls: {
      'clock.read': () => ({ nowMs: tokenClock().getTime() }),
      ...access.calls,
      ...requests.calls,
      ...desk.calls,
    },
    operators: {
      ...access.operators,
      ...requests.operators,
      ...desk.operators,
      ...approvals,
      ...createAuditUseCases(auditLog, { database, keyring }),
    },
    noteReading: (reading) => recordAudit(database, readingEntry(reading)),
    translate: translateDatabaseFault,
  });
}
