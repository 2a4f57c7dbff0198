import type { intakeContract } from '@rubrica/contracts';
import { type Database, outboxInsert, outboxValues } from '@rubrica/database';
import { dueAfter } from '../request/apply-transition.ts';
import type { Registration } from './registration.ts';

type Row = Readonly<Record<string, unknown>>;

const placeholders = (count: number, from: number): string =>
  Array.from({ length: count }, (_, index) => `$${from + index}`).join(', ');

export interface InsertOptions {
  readonly registration: Registration;
  readonly input: intakeContract.RegisterInput;
  readonly errorWindowDays: number;
}

const requestRow = ({ registration: one, input, errorWindowDays }: InsertOptions): Row => {
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
    due_at: dueAfter({ ...plan, now, claimExpiresAt: null, errorWindowDays }),
    created_at: now,
    updated_at: now,
  };
};

/** The rows of one bundle of evidence; a faulty one keeps its place and says why it could not be taken. */
export const evidenceRows = (requestId: string, bundle: intakeContract.EvidenceBundle | undefined): Row[] => {
  const errors = new Map(bundle?.errors.map((error) => [error.field, error.message]));
  return (bundle?.items ?? []).map((item, position) => ({
    id: item.evidenceId,
    request_id: requestId,
    position,
    evidence_type: item.evidenceType ?? null,
    validator_url: item.validatorUrl ?? null,
    media_type: item.file?.mediaType ?? null,
    size: item.file?.size ?? null,
    sha256: item.file?.sha256 ?? null,
    content: item.file?.content === undefined ? null : Buffer.from(item.file.content, 'base64'),
    object_name: item.file?.objectName ?? null,
    error: errors.get(`evidences[${position}].evidenceFile`) ?? null,
  }));
};

/** PostgreSQL takes a column's type from the table in `values`, but not in a `select … union`: casts, then. */
const evidenceTypes: Readonly<Record<string, string>> = {
  id: 'uuid',
  request_id: 'uuid',
  position: 'integer',
  size: 'integer',
  content: 'bytea',
};

const timelineRow = ({ registration: one }: InsertOptions): Row => ({
  request_id: one.id,
  at: one.now,
  trigger: one.plan.trigger,
  status: one.plan.status,
  validation_status: one.plan.validationStatus,
  code: one.plan.code,
  actor: 'partner',
});
const timelineTypes: Readonly<Record<string, string>> = { request_id: 'uuid', at: 'timestamptz' };

const eventRow = ({ registration: one }: InsertOptions): Row[] => {
  const event = one.plan.webhookEvent;
  return event ? [{ ...event, request_id: one.id, occurred_at: one.now }] : [];
};
const eventTypes: Readonly<Record<string, string>> = {
  id: 'uuid',
  request_id: 'uuid',
  occurred_at: 'timestamptz',
};

/** `insert … select … where exists (select from request)`: nothing is written when the request was refused. */
const dependentInsert = (
  table: string,
  rows: readonly Row[],
  options: { types: Readonly<Record<string, string>>; from: number },
): string => {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((_, row) => {
    const cells = columns.map((name, column) => {
      const type = options.types[name] ?? 'text';
      return `$${options.from + row * columns.length + column}::${type}`;
    });
    return `select ${cells.join(', ')} from request`;
  });
  return `insert into ${table} (${columns.join(', ')}) ${values.join(' union all ')}`;
};

/**
 * Request, evidence, timeline, event and outbox row in one statement: one implicit transaction and one round
 * trip where an entity manager would make seven. On a repeated id or referenceTransaction it writes nothing.
 * @returns false where the id or the referenceTransaction was already there
 */
export const insertRegistration = async (database: Database, options: InsertOptions): Promise<boolean> => {
  const request = requestRow(options);
  const parts = [
    {
      name: 'evidence',
      rows: evidenceRows(options.registration.id, options.input.evidence),
      types: evidenceTypes,
    },
    { name: 'timeline', rows: [timelineRow(options)], types: timelineTypes },
    { name: 'webhook_event', rows: eventRow(options), types: eventTypes },
  ].filter(({ rows }) => rows.length > 0);
  const params: unknown[] = Object.values(request);
  const statements = [
    `request as (insert into request (${Object.keys(request).join(', ')})
      values (${placeholders(params.length, 1)}) on conflict do nothing returning id)`,
  ];
  for (const { name, rows, types } of parts) {
    statements.push(`new_${name} as (${dependentInsert(name, rows, { types, from: params.length + 1 })})`);
    params.push(...rows.flatMap((row) => Object.values(row)));
  }
  const [message] = options.registration.plan.messages;
  if (!message) throw new TypeError('a registration always sends a message');
  statements.push(`message as (${outboxInsert({ firstParam: params.length + 1, from: 'request' })})`);
  params.push(...outboxValues(message));
  const text = `with ${statements.join(',\n')} select id from request`;
  // The text depends on nothing but the number of evidences and events, so it is prepared once for each.
  const name = `register:${parts.map((part) => part.rows.length).join(':')}`;
  const rows = await database.statement({ name, text, emits: true, params });
  return rows.length === 1;
};
