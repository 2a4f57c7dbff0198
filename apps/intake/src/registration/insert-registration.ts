import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { Database } from '@rubrica/database';
import { dueAfter } from '../request/due-after.ts';
import { evidenceRows } from '../request/evidence/evidence-rows.ts';
import { type DependentInsert, oneStatement, type Row } from '../request/one-statement.ts';
import type { Registration } from './registration.ts';

export interface InsertOptions {
  readonly registration: Registration;
  readonly input: requestsContract.RegisterInput;
  readonly errorWindowDays: number;
  /** Rows of other tables that go with it. */
  readonly sideEffects?: readonly DependentInsert[];
}

function requestRow({ registration: one, input, errorWindowDays }: InsertOptions): Row {
  const { plan, now } = one;
  const failed = plan.code !== null;
  return {
    id: one.id,
    family: input.family,
    partner_id: one.partnerId,
    reference_transaction: one.referenceTransaction,
    identification_number: one.identificationNumber,
    application_type: one.applicationType,
    certificate_type: one.certificateType,
    period: one.period,
    callback_url: one.callbackUrl,
    details: JSON.stringify(one.details),
    status: plan.status,
    validation_status: plan.validationStatus,
    validation_attempt: plan.validationAttempt,
    failed_step: failed ? 'registration' : null,
    error_code: plan.code,
    error_message: plan.message,
    error_at: failed ? now : null,
    observations: JSON.stringify(one.observations),
    password_origin: one.passwordOrigin,
    sealed_password: input.sealedPassword ?? null,
    evidence_key: input.evidence?.key ?? null,
    expires_at: one.expiresAt,
    due_at: one.expiresAt ?? dueAfter({ ...plan, now, claimExpiresAt: null, errorWindowDays }),
    created_at: now,
    updated_at: now,
  };
}

function timelineRow({ registration: one }: InsertOptions): Row {
  return {
    request_id: one.id,
    at: one.now,
    trigger: one.plan.trigger,
    status: one.plan.status,
    validation_status: one.plan.validationStatus,
    code: one.plan.code,
    actor: 'partner',
  };
}

function eventRows({ registration: one }: InsertOptions): Row[] {
  const event = one.plan.webhookEvent;
  return event ? [{ ...event, request_id: one.id, occurred_at: one.now }] : [];
}

/**
 * Writes a registration with its evidence, event and first job. On a repeated id or referenceTransaction it
 * writes nothing.
 * @returns false where the id or the referenceTransaction was already there
 */
export async function insertRegistration(database: Database, options: InsertOptions): Promise<boolean> {
  const request = requestRow(options);
  const columns = Object.keys(request);
  const change = {
    sql: `insert into request (${columns.join(', ')}) values (${columns.map((name) => `:${name}`).join(', ')})
      on conflict do nothing returning id`,
    params: request,
  };
  const inserts = [
    { table: 'evidence', rows: evidenceRows(options.registration.id, options.input.evidence) },
    { table: 'timeline', rows: [timelineRow(options)] },
    { table: 'webhook_event', rows: eventRows(options) },
    ...(options.sideEffects ?? []),
  ];
  const rows = await database.statement(
    oneStatement(change, { inserts, messages: options.registration.plan.messages }),
  );
  return rows.length === 1;
}
