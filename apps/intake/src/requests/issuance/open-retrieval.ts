import * as retrievalContract from '@rubrica/contracts/services/schemas/retrieval';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import type { EntryGuard } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import { stateNotAllowed } from '../../base/errors.ts';
import { writeGrant } from '../../base/write-grant.ts';
import type { RequestsDeps } from '../deps.ts';
import { auditInsert } from '../request/audit-insert.ts';
import { oneStatement } from '../request/one-statement.ts';
import { verifyData } from '../request/registered/verify-request.ts';
import type { Request } from '../request/request.entity.ts';
import { findOwn } from '../request/request.repository.ts';
import { timelineNote } from '../request/timeline-note.ts';
import { resultsOfRequest } from '../validation/validation-results.ts';

type OpenRetrieval = UseCase<'intake', 'requests.openRetrieval'>;

/** The first retrieval starts the clock, and never makes the time longer; of two at once the second finds it started. */
const open = `
update request set retrieved_at = coalesce(retrieved_at, :now),
  retrieval_until = case when retrieved_at is null then least(retrieval_until, :until) else retrieval_until end
where id = :id and partner_id = :partnerId and status = 'GENERATED' and retrieval_until > :now
returning id, retrieved_at = :now as is_first`;

/** Generation keeps the file no longer than it may be fetched: an order that is repeated until it has confirmed. */
const tellGeneration =
  "insert into retention_order (request_id, peer) select id, 'generation' from request where is_first";

function opening(
  request: Request,
  { clientId, now, entries }: { clientId: string; now: Date; entries: EntryGuard },
) {
  const { id, partnerId, serialNumber } = request;
  const audit = {
    actor: `partner:${clientId}`,
    action: 'certificates.retrieve',
    target: `request:${id}`,
    details: { serialNumber },
  };
  const until = new Date(now.getTime() + retrievalContract.repeatHours * HOUR_MS);
  return oneStatement(
    { sql: open, params: { id, partnerId, now, until } },
    {
      inserts: [
        timelineNote({ ...request, requestId: id, trigger: 'retrieve', actor: 'partner', now }),
        auditInsert(entries, audit),
      ],
      messages: [],
      updates: [tellGeneration],
    },
  );
}

/**
 * Allows one retrieval of the file and writes it down, in the statement that allows it: a crash after it has started
 * the clock and nothing else. Repeating it is safe.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED before the certificate was issued, CERTIFICATE_NOT_FOUND
 *   after the retention
 */
export function createOpenRetrieval(
  deps: Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'newId' | 'rows'>,
): OpenRetrieval {
  const { database, clock } = deps;
  return async (input, { caller: { partnerId, clientId } }) => {
    const request = await findOwn(database.fork(), { ...input, partnerId });
    if (request.status !== 'GENERATED') throw stateNotAllowed(request.status);
    await verifyData(database, deps.rows, request);
    const rows = await database.statement(
      opening(request, { clientId, now: clock(), entries: database.entries }),
    );
    if (rows.length === 0) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
    const { id: requestId, referenceTransaction, serialNumber } = request;
    if (serialNumber === null) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
    const occasion = `retrieval:${requestId}`;
    const granted = { requestId, partnerId, serial: serialNumber, occasion };
    const grant = writeGrant({ purpose: 'release', azp: 'gateway', ...granted }, deps);
    return { requestId, referenceTransaction, results: resultsOfRequest(request), grant };
  };
}
