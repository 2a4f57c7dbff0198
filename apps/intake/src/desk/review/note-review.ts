import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAudit } from '@rubrica/audit/log';
import type { RowGuard } from '@rubrica/database/guarded';
import type { OperatorCaller } from '@rubrica/process/trpc';
import { type Request, TimelineEntity } from '../../requests/request/request.entity.ts';
import { protectEntry } from '../../requests/request/timeline-mac.ts';

/** Step of an operator, with its reason if one was given. */
export interface ReviewStep {
  readonly operator: OperatorCaller;
  readonly action: `reviews.${string}`;
  readonly reason: string | undefined;
  readonly now: Date;
  /** Trigger in the timeline, for a step that leaves the state as it is. */
  readonly kind?: 'approveReview' | 'assignReview';
  readonly details?: Readonly<Record<string, unknown>>;
}

export function toActor({ email }: Pick<OperatorCaller, 'email'>): string {
  return `operator:${email}`;
}

/** Reads the reason. This interface calls `comment` what other changes call `reason`; either is accepted. */
export function readReviewReason(input: { comment?: string | undefined; reason?: string | undefined }) {
  return input.comment ?? input.reason;
}

/** Writes the audit entry of a step, in the transaction of the step. */
export function auditReview(
  em: EntityManager,
  request: Request,
  { operator, action, reason, details }: ReviewStep,
): Promise<void> {
  return recordAudit(em, {
    actor: toActor(operator),
    action,
    target: `request:${request.id}`,
    reason,
    details: { validationAttempt: request.validationAttempt, ...details },
  });
}

/** Writes a timeline entry for a step that leaves the state as it is. */
export async function noteReview(
  em: EntityManager,
  request: Request,
  {
    operator,
    kind,
    reason,
    now,
    rows,
  }: ReviewStep & Required<Pick<ReviewStep, 'kind'>> & { readonly rows: Pick<RowGuard, 'protect'> },
): Promise<void> {
  const entry = {
    requestId: request.id,
    at: now,
    trigger: kind,
    status: request.status,
    validationStatus: request.validationStatus,
    code: null,
    actor: toActor(operator),
    reason: reason ?? null,
  };
  await em.insert(TimelineEntity, { ...entry, mac: protectEntry(rows, entry) });
}
