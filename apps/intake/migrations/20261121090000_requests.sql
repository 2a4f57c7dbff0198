-- Partners and how they are known.
create table partner (
  id uuid primary key,
  client_id text not null unique,
  client_secret_sha256 text not null,
  name text not null,
  email text not null,
  password_configuration text not null check (password_configuration in ('PARTNER', 'ONE_TIME_PASSWORD')),
  review_policy text not null check (review_policy in ('automatic', 'manual', 'four-eyes')),
  legacy_pkcs12 boolean not null default false,
  scopes text[] not null,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table api_token (
  id uuid primary key,
  partner_id uuid not null references partner (id),
  name text not null,
  token_sha256 text not null unique,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index api_token_partner_id on api_token (partner_id);

create table webhook_secret (
  id uuid primary key,
  partner_id uuid not null references partner (id),
  sealed text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);
create index webhook_secret_partner_id on webhook_secret (partner_id);

create table operator (
  id uuid primary key,
  email text not null unique,
  password_hash text not null,
  role text not null check (role in ('viewer', 'reviewer', 'admin')),
  enabled boolean not null default true,
  created_at timestamptz not null default now()
);

-- Requests.
create table request (
  id uuid primary key,
  family text not null check (family in ('TV', 'FR', 'FT', 'FS', 'API')),
  partner_id uuid not null references partner (id),
  reference_transaction text not null,
  identification_number text not null,
  application_type text not null,
  certificate_type text not null,
  period text not null,
  callback_url text,
  details jsonb not null,
  status text not null check (status in ('REGISTERED', 'VALIDATING', 'ERROR', 'APPROVED', 'GENERATING', 'GENERATED', 'REFUSED', 'CANCELLED', 'EXPIRED')),
  validation_status text not null check (validation_status in ('PENDING', 'AUTOMATICALLY_VALIDATING', 'MANUALLY_VALIDATING', 'ERROR', 'REFUSED', 'COMPLETED')),
  validation_attempt integer not null default 0,
  generation_attempt integer not null default 0,
  retry_count integer not null default 0 check (retry_count between 0 and 2),
  failed_step text check (failed_step in ('registration', 'validation', 'generation')),
  error_code text,
  error_message text,
  error_at timestamptz,
  observations jsonb not null default '[]',
  password_origin text not null check (password_origin in ('PARTNER', 'SERVICE', 'HOLDER')),
  sealed_password text,
  evidence_key text,
  claim_token_sha256 text unique,
  claim_expires_at timestamptz,
  resend_count integer not null default 0,
  link_sent_at timestamptz,
  serial_number text,
  not_before timestamptz,
  not_after timestamptz,
  due_at timestamptz,
  publish_count integer not null default 0,
  lease_until timestamptz,
  fence integer not null default 0,
  attempts integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (partner_id, reference_transaction)
);
-- The sweeper's question stays cheap however many requests have ended.
create index request_due_at on request (due_at) where due_at is not null;
create index request_created_at on request (created_at desc, id desc);
create index request_status_created_at on request (status, created_at desc, id desc);
create index request_identification_number on request (identification_number);

create table evidence (
  id uuid primary key,
  request_id uuid not null references request (id),
  position integer not null,
  evidence_type text,
  validator_url text,
  media_type text,
  size integer,
  sha256 text,
  content bytea,
  object_name text,
  error text
);
create index evidence_request_id on evidence (request_id);
-- Ciphertext does not compress; trying costs more than the insert.
alter table evidence alter column content set storage external;

create table timeline (
  id bigint generated always as identity primary key,
  request_id uuid not null references request (id),
  at timestamptz not null default now(),
  trigger text not null,
  status text not null,
  validation_status text not null,
  code text,
  actor text not null,
  reason text
);
create index timeline_request_id on timeline (request_id, id);

create table webhook_event (
  id uuid primary key,
  request_id uuid not null references request (id),
  type text not null,
  message text,
  occurred_at timestamptz not null
);
create index webhook_event_request_id on webhook_event (request_id);

create table message (
  id uuid primary key,
  request_id uuid not null references request (id),
  channel text not null check (channel in ('email', 'sms')),
  template text not null,
  language text not null check (language in ('es', 'en')),
  recipient text not null,
  sealed_secret text,
  created_at timestamptz not null default now()
);
create index message_request_id on message (request_id);

-- The sandbox counts the failures it was told to make, per request, step and attempt.
create table sandbox_attempt (
  request_id uuid not null,
  step text not null,
  attempt integer not null,
  primary key (request_id, step, attempt)
);
