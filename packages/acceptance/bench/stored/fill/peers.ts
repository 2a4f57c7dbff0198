import { certificateBytes } from './plan.ts';

const issued = 'p.n between $1 and $2 and p.certificate_id is not null';
const withNoise = `bench_fill.plan as p join bench_fill.noise on noise.n = p.n % 1000 where ${issued}`;
/** One of a hundred certificates was revoked. */
const isRevoked = 'p.n % 100 = 7';

/**
 * Statements with two parameters each: first and last number.
 * @param isFormer true for the schema of release 0.1.0, which stored the to-be-signed bytes beside their certificate
 */
export const generationRows = (isFormer: boolean): readonly string[] => [
  `insert into generation.issuance (request_id, attempt, state, certificate_id, fence, attempts, created_at, finished_at)
  select id, 1, 'ISSUED', certificate_id, 1, 1, created_at, ended_at from bench_fill.plan as p where ${issued}`,
  // This release has no row for a number of an existing certificate.
  ...(isFormer
    ? [
        `insert into generation.serial_number (serial, request_id, attempt, fence, state, tbs, reserved_at, intended_at)
        select serial, id, 1, 1, 'ISSUED', substr(bytes, 5, 1050), created_at, created_at from ${withNoise}`,
      ]
    : []),
  `insert into generation.certificate (id, request_id, partner_id, attempt, serial, issuer, profile, key_algorithm, subject,
    not_before, not_after, requested_not_after, der, issued_at, revoked_at, revocation_reason, status_version)
  select certificate_id, id, partner_id, 1, serial, 'issuing', 'NATURAL_PERSON/TRADITIONAL_SIGNATURE', 'RSA_2048',
    'C=EC, L=Quito, SN=' || p.surname || ' ' || p.second_surname || ', GN=' || p.given || ', serialNumber=IDCEC-'
      || (1000000000 + p.n * 7 / 10) || ', CN=' || concat_ws(' ', p.given, p.surname, p.second_surname),
    ended_at, not_after, not_after, ${certificateBytes}, ended_at, case when ${isRevoked} then ended_at + interval '1 hour' end,
    case when ${isRevoked} then 'superseded' end, case when ${isRevoked} then 2 else 1 end
  from ${withNoise}`,
  `insert into generation.certificate_word (word, issued_at, certificate_id, name)
  select word, ended_at, certificate_id, search_name
  from bench_fill.plan as p cross join lateral (
    select distinct unnest(string_to_array(substr(search_name, 2), ' ') || ('#' || (1000000000 + p.n * 7 / 10))) as word
  ) as words
  where ${issued}`,
  // Delivered, so destroyed a day later. Younger ones are not filled, because no index contains the bytes of a bundle.
  `insert into generation.bundle (certificate_id, created_at, purge_at, purged_at)
  select certificate_id, ended_at, ended_at + interval '1 day', ended_at + interval '1 day' from bench_fill.plan as p where ${issued}`,
  `insert into generation.audit_entry (at, action, actor, request_id, attempt, serial, detail, chain_sequence, chain_version,
    previous_hash, hash)
  select ended_at, action, 'service:generation', id, 1, serial, detail, $3::bigint + 2 * n + step, 1, sha256(n::text::bytea),
    sha256((n + step)::text::bytea)
  from bench_fill.plan as p cross join lateral (values
    (0, 'certificate.intended', jsonb_build_object('tbsSha256', encode(sha256(serial::bytea), 'hex'))),
    (1, 'certificate.issued',
      jsonb_build_object('certificateId', certificate_id, 'issuer', 'issuing', 'truncated', '[]', 'cappedBy', null))
  ) as steps (step, action, detail)
  where ${issued} order by p.n, step`,
  `insert into generation.outbox (message_id, subject, payload, created_at, published_at)
  select 'issued:' || id || ':1', 'events.certificate.issued', jsonb_build_object('requestId', id, 'serialNumber', serial),
    ended_at, ended_at from bench_fill.plan as p where ${issued} and created_at > now() - interval '14 days'`,
];

/**
 * One of seventy webhooks was exhausted, and one of two hundred stopped with its destination; one of ten needed a
 * second attempt. The delivery contains the acknowledged attempt.
 */
const attempted = `lateral (
    select case when n % 70 = 3 then 'EXHAUSTED' when n % 200 = 5 then 'STOPPED' else 'DELIVERED' end as state,
      case when n % 10 = 0 then 2 else 1 end as attempts
  ) as known cross join lateral (select state = 'DELIVERED' as is_delivered) as ended`;
const acknowledged = `case when is_delivered then attempts end, case when is_delivered then 80 end,
    case when is_delivered then 204 end,`;

/**
 * Statements with two parameters each: first and last number.
 * @param isFormer true for the schema of release 0.1.0, in which every attempt has its own row
 */
export const notifierRows = (isFormer: boolean): readonly string[] => [
  `insert into notifier.delivery (id, partner_id, request_id, type, url, destination, occurred_at, body, has_bundle, state,
    attempts, round_attempts, fence, last_status, delivered_at, ${isFormer ? '' : 'acknowledged_fence, acknowledged_ms, acknowledged_status,'}
    purge_at, purged_at, generation_told_at, created_at)
  select event_id, partner_id, id, case when status = 'GENERATED' then 'certificate.issued' else 'request.error' end,
    'https://partner-' || substr(partner_id::text, 25) || '.example/webhooks', 'https://partner-' || substr(partner_id::text, 25) || '.example',
    ended_at, null, status = 'GENERATED', state, attempts, attempts, attempts, case when is_delivered then 204 else 503 end,
    case when is_delivered then ended_at end, ${isFormer ? '' : acknowledged} case when status = 'GENERATED' then ended_at + interval '1 day' end,
    ended_at + interval '1 day', ended_at + interval '1 day', ended_at
  from bench_fill.plan as p, ${attempted} where n between $1 and $2 and event_id is not null`,
  `insert into notifier.delivery_attempt (delivery_id, fence, started_at, duration_ms, status, outcome, error)
  select event_id, attempt, ended_at, 80, 503, 'REFUSED', 'the receiver answered 503'
  from bench_fill.plan as p, ${attempted}
  cross join lateral generate_series(1, attempts - ${isFormer ? '0' : 'is_delivered::int'}) as attempt
  where n between $1 and $2 and event_id is not null order by n, attempt`,
  `insert into notifier.message (id, request_id, channel, template, recipient_masked, state, attempts, round_attempts, fence,
    sent_at, created_at)
  select bench_fill.v7(created_at, 'message', n), id, 'email', 'claim', 'a***@example.com',
    case when n % 250 = 0 then 'FAILED' else 'SENT' end, 1, 1, 1, created_at, created_at
  from bench_fill.plan as p where n between $1 and $2 and has_claim`,
];
