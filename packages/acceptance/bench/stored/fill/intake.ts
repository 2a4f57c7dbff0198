import { sealedText } from './plan.ts';

const ofBatch = `bench_fill.plan as p join bench_fill.noise on noise.n = p.n % 1000 where p.n between $1 and $2`;
const planned = 'bench_fill.plan as p where p.n between $1 and $2';

/** A request without a certificate is erased a month after its end; otherwise the certificate's end is years ahead. */
const isErased = `(p.is_old and p.status in ('REFUSED', 'CANCELLED', 'EXPIRED'))`;
const isOpen = `p.status in ('APPROVED', 'ERROR', 'VALIDATING')`;

/** 0.1.0 wrote two rows for a registration and the validation that begins with it. */
const registered = `(p.created_at, 'register', 'REGISTERED', 'PENDING', 'partner'),`;

/**
 * Statements with two parameters each: first and last number.
 * @param isFormer true for the schema and the rows of release 0.1.0
 */
export const intakeRows = (isFormer: boolean): readonly string[] => [
  `insert into intake.request (id, family, partner_id, reference_transaction, identification_number, application_type,
    certificate_type, period, callback_url, details, status, validation_status, validation_attempt, generation_attempt,
    failed_step, error_code, error_message, error_at, password_origin, evidence_key, claim_token_sha256, claim_expires_at,
    serial_number, not_before, not_after, certificate_status, certificate_version, due_at, evidence_due_at, erased_at,
    attempts, fence, version, created_at, updated_at)
  select p.id, p.family, p.partner_id, 'STORED-' || p.n, case when ${isErased} then '' else (1000000000 + p.n * 7 / 10)::text end,
    'NATURAL_PERSON', 'TRADITIONAL_SIGNATURE', 'ONE_YEAR', case when ${isErased} then null else 'http://127.0.0.1:9/webhooks' end,
    case when ${isErased} then '{}'::jsonb else jsonb_build_object('city', 'Quito', 'email', 'applicant' || p.n || '@example.com',
      'secondEmail', 'second.' || p.n || '@example.org',
      'address', 'Av. Amazonas N34-451 y Av. Atahualpa', 'fingerCode', 'V4333V2222', 'documentType', 'CI', 'applicantName',
      p.given, 'cellphoneNumber', '+593991234567', 'applicantLastName', p.surname, 'applicantSecondLastName', p.second_surname) end,
    p.status, p.validation_status, 1, case when p.status = 'GENERATED' then 1 else 0 end,
    case when p.status = 'ERROR' then 'validation' end, case when p.status in ('ERROR', 'REFUSED') then 'EVIDENCE_INVALID' end,
    case when p.status in ('ERROR', 'REFUSED') then 'The evidence cannot be read' end,
    case when p.status in ('ERROR', 'REFUSED') then p.ended_at end, case when p.has_claim then 'HOLDER' else 'PARTNER' end,
    case when ${isErased} then null else ${sealedText} end,
    case when p.has_claim and not ${isErased} then md5('link' || p.n) || md5('link of' || p.n) end,
    case when p.has_claim or p.status = 'APPROVED' then p.created_at + interval '50 days' end,
    p.serial, case when p.serial is not null then p.ended_at end, p.not_after,
    case when p.serial is not null then 'VALID' end, case when p.serial is not null then 1 else 0 end,
    case when p.status in ('APPROVED', 'ERROR') then p.created_at + interval '50 days' end,
    case when p.status = 'GENERATED' then p.not_after + interval '15 years' when ${isOpen} or ${isErased} then null
      else now() + interval '20 days' end,
    case when ${isErased} then p.ended_at + interval '30 days' end, 1, 2, 4, p.created_at, p.ended_at
  from ${ofBatch}`,
  `insert into intake.request_word (word, created_at, request_id, name)
  select word, created_at, id, search_name
  from bench_fill.plan as p cross join lateral (
    select distinct unnest(string_to_array(substr(search_name, 2), ' ') || ('@applicant' || n || '@example.com')) as word
  ) as words
  where p.n between $1 and $2 and not ${isErased}`,
  `insert into intake.timeline (request_id, at, trigger, status, validation_status, actor${isFormer ? '' : ', registers'})
  select p.id, step.at, step.trigger, step.status, step.validation_status, step.actor
    ${isFormer ? '' : `, case when step.trigger = 'startValidation' then true end`}
  from bench_fill.plan as p cross join lateral (values
    ${isFormer ? registered : ''}
    (p.created_at, 'startValidation', 'VALIDATING', 'AUTOMATICALLY_VALIDATING', 'service:intake'),
    (p.created_at + interval '2 seconds', 'approve', 'APPROVED', 'COMPLETED', 'service:intake'),
    (p.ended_at, 'end', p.status, p.validation_status, 'service:intake')
  ) as step (at, trigger, status, validation_status, actor) where p.n between $1 and $2 order by step.at`,
  `insert into intake.webhook_event (id, request_id, type, occurred_at, ended_at, attempts)
  select event_id, id, case when status = 'GENERATED' then 'certificate.issued' else 'request.error' end, ended_at,
    case when is_old then ended_at + interval '1 day' end, 1 from ${planned} and event_id is not null`,
  `insert into intake.message (id, request_id, channel, template, language, recipient, secret_until, created_at)
  select bench_fill.v7(created_at, 'message', n), id, 'email', 'claim', 'es',
    case when ${isErased} then '' else 'applicant' || n || '@example.com' end, created_at + interval '50 days', created_at
  from ${planned} and has_claim`,
  `insert into intake.claim_code (id, request_id, purpose, sent_at, expires_at, used_at)
  select bench_fill.v7(created_at, 'code', n), id, 'claim', created_at, created_at + interval '10 minutes', ended_at
  from ${planned} and has_claim and status = 'GENERATED' and created_at > now() - interval '2 days'`,
  `insert into intake.terms_acceptance (request_id, terms_id, terms_version, at, language, remote_address)
  select id, '00000000-0000-7000-8000-000000000001', '1', ended_at, 'es', '203.0.113.7'
  from ${planned} and has_claim and status = 'GENERATED'`,
  // A registration causes two messages and its outcome one; they are stored for fourteen days.
  `insert into intake.outbox (message_id, subject, payload, headers, created_at, published_at)
  select kind || ':' || id || ':1', 'jobs.' || kind || '.requested', jsonb_build_object('attempt', 1, 'requestId', id),
    '{"traceparent": "00-edb1e86c666a5dadcb5fe54a9097abd1-a65acacce9b06bac-01"}', created_at, created_at
  from bench_fill.plan as p cross join unnest(array['validation', 'certificate', 'webhook']) as kind
  where p.n between $1 and $2 and created_at > now() - interval '14 days'`,
  `insert into intake.audit (at, actor, action, target, details, chain_sequence, chain_version, previous_hash, hash)
  select ended_at, case when n % 200 = 0 then 'operator:reviewer@rubrica.test' else 'service:intake' end,
    case when status = 'REFUSED' then 'requests.refuse' when n % 500 = 0 then 'requests.get' else 'requests.approve' end,
    'request:' || id, '{}', $3::bigint + n, 1, sha256(n::text::bytea), sha256((n + 1)::text::bytea)
  from ${planned}`,
];
