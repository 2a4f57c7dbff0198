import type { LinkedPartnerRequest } from '@rubrica/contracts/rest/linked-partner';

/** Tables of the bare process: intake's data about a request, an evidence and a message, in a separate schema. */
export const bareTables = `
  create schema if not exists bench_bare;
  create table if not exists bench_bare.request (
    id uuid primary key,
    partner_id uuid not null,
    reference_transaction text not null,
    status text not null,
    validation_status text not null,
    identification_number text not null,
    applicant_name text not null,
    applicant_last_name text not null,
    applicant_second_last_name text,
    finger_code text not null,
    email text not null,
    second_email text,
    cellphone_number text not null,
    city text not null,
    address text not null,
    document_type text not null,
    application_type text not null,
    certificate_type text not null,
    period text,
    callback_url text not null,
    password text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (partner_id, reference_transaction)
  );
  create table if not exists bench_bare.evidence (
    id uuid primary key,
    request_id uuid not null references bench_bare.request,
    content bytea not null
  );
  create index if not exists evidence_request on bench_bare.evidence (request_id);
  create table if not exists bench_bare.outbox (
    id bigint generated always as identity primary key,
    message_id uuid not null,
    subject text not null,
    payload jsonb not null,
    created_at timestamptz not null default now(),
    published_at timestamptz
  );`;

export const dropBareTables = 'drop schema if exists bench_bare cascade';

export const insertRequest = `
  insert into bench_bare.request (
    id, partner_id, reference_transaction, status, validation_status, identification_number, applicant_name,
    applicant_last_name, applicant_second_last_name, finger_code, email, second_email, cellphone_number, city,
    address, document_type, application_type, certificate_type, period, callback_url, password
  ) values ($1, $2, $3, 'REGISTERED', 'PENDING', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
    $18, $19)`;

export const insertEvidence = 'insert into bench_bare.evidence (id, request_id, content) values ($1, $2, $3)';

export const insertOutbox = `
  insert into bench_bare.outbox (message_id, subject, payload) values ($1, 'jobs.validation.requested', $2)`;

const partnerId = '00000000-0000-4000-8000-000000000001';

/** Lists the parameters of `insertRequest`, in its order. */
export function toInsertValues(requestId: string, body: LinkedPartnerRequest): unknown[] {
  return [
    requestId,
    partnerId,
    body.referenceTransaction,
    body.identificationNumber,
    body.applicantName,
    body.applicantLastName,
    body.applicantSecondLastName ?? null,
    body.fingerCode,
    body.email,
    body.secondEmail ?? null,
    body.cellphoneNumber,
    body.city,
    body.address,
    body.documentType,
    body.applicationType,
    body.certificateType,
    body.period ?? null,
    body.callbackUrl,
    body.password ?? null,
  ];
}

/** Creates a query that is prepared once per connection, as the product's is. */
export function findRequest(reference: string) {
  const text = `select id, reference_transaction, status, validation_status, application_type, certificate_type, period,
    created_at, updated_at from bench_bare.request where partner_id = $1 and reference_transaction = $2`;
  return { name: 'status', text, values: [partnerId, reference] };
}

export function toRecord(row: Record<string, unknown>): object {
  return {
    linkedPartnerRequestId: row.id,
    referenceTransaction: row.reference_transaction,
    status: row.status,
    validationStatus: row.validation_status,
    applicationType: row.application_type,
    certificateType: row.certificate_type,
    period: row.period,
    createdDate: row.created_at,
    updatedDate: row.updated_at,
    observations: [],
  };
}
