import * as retrievalContract from '@rubrica/contracts/services/schemas/retrieval';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import type { EntryGuard } from '@rubrica/database/entries';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import { stateNotAllowed } from '../../base/errors.ts';
import { writeGrant } from '../../base/write-grant.ts';
import type { RequestsDeps } from '../deps.ts';
import { auditInsert } from '../request/audit-insert.ts';
import { buildStatement } from '../request/one-statement.ts';
import { verifyData } from '../request/registered/verify-request.ts';
import type { Request } from '../request/request.entity.ts';
import { findOwn } from '../request/request.repository.ts';
import { timelineInsert } from '../request/timeline-note.ts';
import { toRequestResults } from '../validation/validation-results.ts';

type OpenRetrieval = UseCase<'intake', 'requests.openRetrieval'>;

/**
 * Starts the retrieval period at the first retrieval and never extends it. Of two concurrent retrievals the
 * second finds it started.
 */
const open = `
update request set retrieved_at = coalesce(retrieved_at, :now),
  retrieval_until = case when retrieved_at is null then least(retrieval_until, :until) else retrieval_until end
where id = :id and partner_id = :partnerId and status = 'GENERATED' and retrieval_until > :now
returning id, retrieved_at = :now as is_first`;

/**
 * Orders generation to keep the file no longer than it may be fetched. The order is repeated until generation
 * confirms it.
 */
const orderRetention =
  "insert into retention_order (request_id, peer) select id, 'generation' from request where is_first";

function planRetrieval(
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
  return buildStatement(
    { sql: open, params: { id, partnerId, now, until } },
    {
      inserts: [
        timelineInsert({ ...request, requestId: id, trigger: 'retrieve', actor: 'partner', now }),
        auditInsert(entries, audit),
      ],
      messages: [],
      updates: [orderRetention],
    },
  );
}

/**
 * Allows one retrieval of the file and audits it in the same statement. A crash afterwards has started the
 * retrieval period and nothing else, and repeating the call is safe.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED before the certificate was issued,
 *   CERTIFICATE_NOT_FOUND after the retention
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
      planRetrieval(request, { clientId, now: clock(), entries: database.entries }),
    );
    if (rows.length === 0) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
    const { id: requestId, referenceTransaction, serialNumber } = request;
    if (serialNumber === null) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
    const occasion = `retrieval:${requestId}`;
    const bundle = { requestId, partnerId, serial: serialNumber, occasion };
    const grant = writeGrant({ purpose: 'release', azp: 'gateway', ...bundle }, deps);
    return { requestId, referenceTransaction, results: toRequestResults(request), grant };
  };
}
