import type { EntityManager } from '@mikro-orm/postgresql';
import type { RowGuard } from '@rubrica/database/guarded';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import type { Request } from '../request.entity.ts';
import { isTerminal } from '../state-machine.ts';
import { digestEvidence, type EvidenceOutline, outlinesSql } from './evidence-outline.ts';
import { isAuthentic, notAuthentic, type StoredRegistration, toStored } from './registered-data.ts';
import { historySql, type RequestHistory } from './request-history.ts';

type Guard = Pick<RowGuard, 'isIntact' | 'reportFailed'>;

/** Request as it was found authentic, before it was changed. */
export interface VerifiedRequest {
  readonly stored: StoredRegistration;
  readonly history: RequestHistory;
}

interface Context {
  readonly history: RequestHistory;
  readonly outlines: readonly EvidenceOutline[];
}

const findContext = statement<{ readonly id: string }, Context>({
  name: 'context-of-request',
  sql: `select ${historySql('request.id')} as history, ${outlinesSql('request.id')} as outlines from request where id = :id`,
});

/**
 * Verifies a locked request and its evidence. Call it before the entity is changed: data written afterwards
 * get a MAC of this service, which must never cover changes made past the service.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED, with an alarm, if this service did not write them last
 */
export async function verifyRequest(
  em: EntityManager,
  rows: Guard,
  request: Request,
): Promise<VerifiedRequest> {
  const [context] = await findContext.run(em, { id: request.id });
  const stored = toStored(request);
  if (context === undefined || !isAuthentic(rows, stored, context.history)) throw notAuthentic();
  // No transition leaves a terminal state.
  const isRevived = context.history.ended > 0 && !isTerminal(request.status);
  if (isRevived || digestEvidence(context.outlines) !== request.evidenceSha256) {
    rows.reportFailed({ table: 'request', id: request.id });
    throw notAuthentic();
  }
  return { stored, history: context.history };
}

/**
 * Verifies the data of a request that is read and not changed, without its evidence.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED, with an alarm
 */
export async function verifyData(target: StatementTarget, rows: Guard, request: Request): Promise<void> {
  const [context] = await findContext.run(target, { id: request.id });
  if (context === undefined || !isAuthentic(rows, toStored(request), context.history)) throw notAuthentic();
}
