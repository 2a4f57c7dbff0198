-- Tables of release 0.1.0. A database of that release has them by these migrations:
-- replaces 20261121090000_requests
-- replaces 20261121120000_certificate_copy
-- replaces 20261121150000_webhook_keys
-- replaces 20261121170000_claims
-- replaces 20261121180000_retention
-- replaces 20261121200000_families
-- replaces 20261121210000_reviews
-- replaces 20261121220000_evidence_keys
-- replaces 20261121225000_retrieval
-- replaces 20261121230000_api_flow
-- replaces 20261122180000_retention_order_fence
-- replaces 20261122193000_evidence_objects
-- replaces 20261122210000_partner_keys
-- replaces 20261122213000_gen
-- replaces 20261122214500_open_events
-- replaces 20261122220000_guarded_rows
-- replaces 20261122221500_attempts_of_events
-- replaces 20261123001500_second_person
-- replaces 20261123004500_sign_in_attempts
-- replaces 20261123010000_key_type
-- replaces 20261123024500_evidence_link_gen
-- replaces 20261123091000_request_searches
-- replaces 20261123163000_request_words
-- replaces 20261123170000_operator_sessions
-- replaces 20261123171000_operator_invitations
-- replaces 20261123171500_operator_identities
-- replaces 20261123173000_evidence_link_session
-- replaces 20261123173000_operator_factors
-- replaces 20261123174000_review_presence
-- replaces 20261123174500_operator_challenges
-- replaces 20261123175000_request_days
-- replaces 20261123193500_claim_rights
-- replaces 20261123195500_disputed
-- replaces 20261123200000_claim_links
-- replaces 20261123201500_revoke_codes
-- replaces 20261123203000_webhook_envelope
-- replaces 20261123203500_advanced_days

-- Partners and how they are known.
create table partner (
  id uuid primary key,
  client_id text not null,
  client_secret_sha256 text not null,
  name text not null,
  email text not null,
  password_configuration text not null check (password_configuration in ('PARTNER', 'ONE_TIME_PASSWORD')),
  review_policy text not null check (review_policy in ('automatic', 'manual', 'four-eyes')),
  legacy_pkcs12 boolean not null default false,
  scopes text[] not null,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  client_secret_enabled boolean not null default true,
  -- How often a right of the partner or operator has ended. A token says the number that stood when it was made, and is
  -- refused as soon as the row has another one.
  gen integer not null default 1 check (gen > 0),
  -- Rows that give rights carry a MAC by a key that the database never sees. What is written without one counts as disabled.
  version integer not null default 1,
  mac text not null default '',
  -- The kind of key that a partner's subscribers get.
  key_type text not null default 'RSA-2048' check (key_type in ('RSA-2048', 'RSA-3072', 'EC-P256')),
  -- Whether the bodies of a partner's webhooks say their type and time themselves.
  envelope boolean not null default false,
  constraint partner_client_id_key unique (client_id)
);

create table api_token (
  id uuid primary key,
  partner_id uuid not null references partner(id),
  name text not null,
  token_sha256 text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  version integer not null default 1,
  mac text not null default '',
  constraint api_token_token_sha256_key unique (token_sha256)
);
create index api_token_partner_id on api_token (partner_id);

create table webhook_secret (
  id uuid primary key,
  partner_id uuid not null references partner(id),
  sealed text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  -- Beside the shared secret a partner may have a key pair (Standard Webhooks, v1a): the private key is sealed to
  -- notifier like a secret, the public key is shown to whoever asks.
  public_key text check (public_key ~ '^whpk_'),
  version integer not null default 1,
  mac text not null default ''
);
create index webhook_secret_partner_id on webhook_secret (partner_id);

create table operator (
  id uuid primary key,
  email text not null,
  password_hash text,
  role text not null check (role in ('viewer', 'reviewer', 'admin')),
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  gen integer not null default 1 check (gen > 0),
  version integer not null default 1,
  mac text not null default '',
  -- Who has invited or promoted an operator, or reset the factors, and when; no procedure does so yet.
  made_by jsonb not null default '[]'::jsonb,
  constraint operator_email_key unique (email)
);

-- Requests.
create table request (
  id uuid primary key,
  family text not null check (family in ('TV', 'FR', 'FT', 'FS', 'API')),
  partner_id uuid not null references partner(id),
  reference_transaction text not null,
  identification_number text not null,
  application_type text not null,
  certificate_type text not null,
  period text not null,
  callback_url text,
  details jsonb not null,
  status text not null,
  validation_status text not null,
  validation_attempt integer not null default 0,
  generation_attempt integer not null default 0,
  retry_count integer not null default 0 check ((retry_count >= 0) and (retry_count <= 2)),
  failed_step text check (failed_step in ('registration', 'validation', 'generation')),
  error_code text,
  error_message text,
  error_at timestamptz,
  observations jsonb not null default '[]'::jsonb,
  password_origin text not null check (password_origin in ('PARTNER', 'SERVICE', 'HOLDER')),
  sealed_password text,
  evidence_key text,
  claim_token_sha256 text,
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
  -- What generation last said of the certificate, for as long as it does not answer.
  certificate_status text check (certificate_status in ('VALID', 'REVOKED', 'EXPIRED')),
  certificate_version integer not null default 0,
  -- A holder's certificate may be downloaded up to here.
  download_until timestamptz,
  -- The holder's, since the claim page was first used.
  language text not null default 'es' check (language in ('es', 'en')),
  -- What is held of a request, until when, and who has stopped the clock or wants it gone.
  evidence_due_at timestamptz,
  legal_hold_at timestamptz,
  legal_hold_reason text,
  -- An operator asked to erase what the law does not ask to keep.
  erase_requested_at timestamptz,
  -- Nothing personal is left.
  erased_at timestamptz,
  -- Grows with every hold and erasure: peers never take an older word for a newer one.
  retention_version integer not null default 0,
  -- What the error concerns, where the code alone does not say it: it may be sent anew.
  error_fields jsonb not null default '[]'::jsonb,
  -- Review by operators. The columns speak of the present, or else the last, time that a request waits for a person. All
  -- have values from the start, so that a release without reviews can still send a request to one.
  -- The partner's policy as it was when the review began.
  review_policy text not null default 'manual' check (review_policy in ('manual', 'four-eyes')),
  review_reason text not null default 'REGISTRY' check (review_reason in ('POLICY', 'REGISTRY')),
  review_since timestamptz not null default now(),
  review_assigned_to uuid references operator(id),
  -- Until when the partner may fetch the file itself; null where the family has no retrieval.
  retrieval_until timestamptz,
  -- When it did so for the first time.
  retrieved_at timestamptz,
  -- Which check the error is of, where its code alone does not say it.
  failed_check text,
  -- The API flow: its partner takes a request from step to step, within a day.
  -- A request with such a time is never woken: it waits for its partner.
  expires_at timestamptz,
  -- Links that the applicant asked for; those that the partner sent again are counted by themselves.
  own_resend_count integer not null default 0,
  -- The sandbox's clock of a request, in days ahead. Instants at which something falls due are kept by the real clock and
  -- move when it is advanced; what partners and applicants are shown adds it again.
  advanced_days integer not null default 0,
  -- Of those, the days since the certificate was issued.
  certificate_advanced_days integer not null default 0,
  constraint request_status_check check (status in ('REGISTERED', 'VALIDATING', 'ERROR', 'APPROVED', 'GENERATING', 'GENERATED', 'REFUSED', 'CANCELLED', 'EXPIRED')),
  constraint request_validation_status_check check (validation_status in ('PENDING', 'AUTOMATICALLY_VALIDATING', 'MANUALLY_VALIDATING', 'ERROR', 'REFUSED', 'COMPLETED')),
  constraint request_claim_token_sha256_key unique (claim_token_sha256),
  constraint request_reference unique (reference_transaction, partner_id)
);
-- The sweeper's question stays cheap however many requests have ended.
create index request_due_at on request (due_at) where due_at is not null;
create index request_created_at on request (created_at desc, id desc);
-- A partner names a certificate by its serial number.
create index request_serial_number on request (serial_number) where serial_number is not null;
-- The sweeper's question costs what is due, however many requests have ended.
create index request_evidence_due_at on request (evidence_due_at) where (evidence_due_at is not null) and (legal_hold_at is null);
-- Ended by a release that did not date them yet: empty but for moments.
create index request_undated on request (id) where (evidence_due_at is null) and (erased_at is null) and status in ('GENERATED', 'REFUSED', 'CANCELLED', 'EXPIRED');
-- The queue: costs what waits, however many requests were ever reviewed. A cancelled request keeps its validation status.
create index request_review_queue on request (review_since, id) where (status = 'VALIDATING') and (validation_status = 'MANUALLY_VALIDATING');
create index request_review_assigned_to on request (review_assigned_to) where review_assigned_to is not null;
-- What operators search requests by. A search names any of partner, family and the two statuses: whatever it leaves open
-- is looked up value by value, each from its newest request on, so that none of them walks over what it does not show.
create index request_by_state on request (family, status, validation_status, created_at desc, id desc);
create index request_by_partner on request (partner_id, family, status, validation_status, created_at desc, id desc);
-- Erased requests name nobody.
create index request_by_applicant on request (identification_number, created_at desc, id desc) where identification_number <> '';
-- What was issued within a day.
create index request_generated_at on request (updated_at) where status = 'GENERATED';
create index request_disputed on request (error_at) where error_code = 'APPLICANT_DISPUTED';

create table evidence (
  id uuid primary key,
  request_id uuid not null references request(id),
  position integer not null,
  evidence_type text,
  validator_url text,
  media_type text,
  size integer,
  sha256 text,
  content bytea storage external,
  error text,
  -- An attachment is named by the field that it came in; an evidence of a list has no name.
  field text,
  -- A file that was sent anew is encrypted with the key of that call; null: with the request's own, as it was registered.
  key text,
  -- What an object of the bucket consists of, kept here and nowhere else. The column before named objects of a bucket whose
  -- entries could be replaced; that bucket is no longer read, so no copy of the code before can work on beside this one.
  object jsonb
);
create index evidence_request_id on evidence (request_id);
-- The sweep's question: which of these objects does a row name?
create index evidence_object_id on evidence (((object ->> 'id'))) where object is not null;

create table timeline (
  id bigint generated always as identity primary key,
  request_id uuid not null references request(id),
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
  request_id uuid not null references request(id),
  type text not null,
  message text,
  occurred_at timestamptz not null,
  -- Since when nothing is given out for the event any more: the notifier has purged what it was to deliver.
  ended_at timestamptz,
  -- What bounds for how long secrets are given out to sign a webhook with: the attempts after the first, and the time.
  attempts integer not null default 0,
  -- When an operator had it sent again: it counts from then.
  reopened_at timestamptz,
  -- The code of the error or refusal that an event tells of; null in older rows and where it tells of none.
  code text
);
create index webhook_event_request_id on webhook_event (request_id);

create table message (
  id uuid primary key,
  request_id uuid not null references request(id),
  channel text not null check (channel in ('email', 'sms')),
  template text not null,
  language text not null check (language in ('es', 'en')),
  recipient text not null,
  sealed_secret text,
  created_at timestamptz not null default now(),
  -- Up to here the link or code in a message is good for something.
  secret_until timestamptz
);
create index message_request_id on message (request_id);
create index message_secret_until on message (secret_until) where sealed_secret is not null;

-- The sandbox counts the failures it was told to make, per request, step and attempt.
create table sandbox_attempt (
  request_id uuid,
  step text,
  attempt integer,
  primary key (request_id, step, attempt)
);

-- One row per code that was sent, named as the message that carried it. Without a digest it is over.
create table claim_code (
  id uuid primary key,
  request_id uuid not null references request(id),
  purpose text not null check (purpose in ('claim', 'download', 'revoke')),
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  -- HMAC-SHA-256 of the code under a key of its own, which is sealed to intake.
  digest text,
  sealed_key text,
  wrong_tries integer not null default 0 check ((wrong_tries >= 0) and (wrong_tries <= 5)),
  used_at timestamptz
);
create index claim_code_request_id on claim_code (request_id, sent_at);

create table terms_acceptance (
  id bigint generated always as identity primary key,
  request_id uuid not null references request(id),
  terms_id uuid not null,
  terms_version text not null,
  at timestamptz not null,
  language text not null,
  remote_address text not null,
  user_agent text
);
create index terms_acceptance_request_id on terms_acceptance (request_id);

-- When the holder is reminded of a link that waits; made with the link, done once whether a mail went out or not.
create table claim_reminder (
  request_id uuid references request(id),
  due_at timestamptz,
  done_at timestamptz,
  primary key (request_id, due_at)
);
create index claim_reminder_due_at on claim_reminder (due_at) where done_at is null;

-- Peers that have to hear of a hold or an erasure; a row goes once its peer has confirmed.
create table retention_order (
  id bigint generated always as identity primary key,
  request_id uuid not null references request(id),
  peer text not null check (peer in ('generation', 'notifier')),
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  -- Orders are leased as everything else is: who confirms late, after another took them over, confirms nothing.
  fence integer not null default 0
);
create index retention_order_request_id on retention_order (request_id);
create index retention_order_peer on retention_order (peer, id);

-- Who approved, in which validation attempt: the key keeps one operator from counting twice.
create table review_approval (
  request_id uuid references request(id),
  attempt integer,
  operator_id uuid references operator(id),
  at timestamptz not null,
  comment text,
  -- A reviewer's approval counts for its MAC alone, which is over this id too.
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  mac text not null default '',
  primary key (request_id, attempt, operator_id),
  constraint review_approval_id_key unique (id)
);
create index review_approval_operator_id on review_approval (operator_id);

-- A way to one file for one operator, for minutes; who knows the token may open it, so only its hash is here.
create table evidence_link (
  token_sha256 text primary key,
  request_id uuid not null references request(id),
  evidence_id uuid not null references evidence(id) on delete cascade,
  operator_id uuid not null references operator(id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  gen integer not null,
  session_id uuid
);
create index evidence_link_request_id on evidence_link (request_id);
create index evidence_link_evidence_id on evidence_link (evidence_id);
create index evidence_link_operator_id on evidence_link (operator_id);
create index evidence_link_expires_at on evidence_link (expires_at);

-- One row per identity validation that came to a result; calls that nobody could answer leave none.
create table identity_attempt (
  request_id uuid references request(id),
  -- Counts all that came to a result; of those that were rejected there are at most three.
  attempt integer check ((attempt >= 1) and (attempt <= 3)),
  -- Of the gateway: the same call made again is answered with the same row.
  call_id uuid not null,
  at timestamptz not null,
  result text not null check (result in ('APPROVED', 'REJECTED')),
  reasons jsonb not null default '[]'::jsonb,
  -- Under which rule a person has to look once the other steps have passed; null: none.
  review jsonb,
  primary key (request_id, attempt),
  constraint identity_attempt_call_id_key unique (call_id)
);

-- One row per proof of life that was begun. Without a status it is still open.
create table liveness_session (
  request_id uuid references request(id),
  attempt integer check ((attempt >= 1) and (attempt <= 3)),
  session_id text not null,
  -- Where the applicant proves it, sealed to the gateway: nobody else hands it on.
  sealed_url text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the applicant was done with the sandbox's page.
  done_at timestamptz,
  status text check (status in ('SUCCEEDED', 'FAILED', 'EXPIRED')),
  ended_at timestamptz,
  liveness_confidence double precision,
  face_match_confidence double precision,
  reasons jsonb not null default '[]'::jsonb,
  primary key (request_id, attempt),
  constraint liveness_session_session_id_key unique (session_id)
);

-- Public keys by which a partner proves who it is (RFC 7523), at most three in force; those removed are kept for the record.
create table partner_key (
  id uuid primary key,
  partner_id uuid not null references partner(id),
  algorithm text not null check (algorithm in ('RSA', 'P-256', 'Ed25519')),
  jwk jsonb not null,
  thumbprint text not null,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  version integer not null default 1,
  mac text not null default ''
);
create index partner_key_partner_id on partner_key (partner_id);
create unique index partner_key_in_force on partner_key (partner_id, thumbprint) where removed_at is null;

-- An assertion opens the door once, at whichever copy: its row is committed before a token is made.
create table used_assertion (
  partner_id uuid references partner(id),
  jti text,
  expires_at timestamptz not null,
  primary key (partner_id, jti)
);
create index used_assertion_expires_at on used_assertion (expires_at);

-- Passwords that were tried at the operators' door and were not right, or not judged yet: of an account from an address,
-- of an address, of an account. The key is a hash, because what is typed as an account may be a password.
create table sign_in_attempt (
  key text primary key,
  count integer not null,
  ends_at timestamptz not null,
  waits_until timestamptz not null
);
create index sign_in_attempt_ends_at on sign_in_attempt (ends_at);

-- What a request is found by: the words of the applicant's name and, with an @ before it, the e-mail address. The order of
-- code points is that in which words with the same beginning stand together. Names are kept beside, so that a search for
-- several words reads nothing but the index. No foreign key: it would look for the request once for each word, while it
-- is registered.
create table request_word (
  word text collate "C" not null,
  created_at timestamptz not null,
  request_id uuid not null,
  name text not null
);
create index request_word_newest on request_word (word, created_at desc, request_id desc) include (name);
create index request_word_request_id on request_word (request_id);

-- Sessions of operators. Of a refresh token the hash is kept, and of the one before: shown again, it ends the session.
create table operator_session (
  id uuid primary key,
  operator_id uuid not null references operator(id),
  -- Of the operator's row when it was opened: it ends with any right that the operator loses.
  gen integer not null,
  method text not null,
  scope text not null,
  family_sha256 text not null,
  refresh_sha256 text not null,
  previous_sha256 text,
  -- The present refresh token, for who shows the one before at the same moment as another.
  sealed_refresh_token text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  address text not null,
  user_agent text not null,
  version integer not null default 1,
  mac text not null default ''
);
create index operator_session_operator_id on operator_session (operator_id, created_at desc);
create index operator_session_expires_at on operator_session (expires_at);

-- A link by which an operator chooses a password, once. Of its token the hash is kept; a newer link takes its place.
create table operator_invitation (
  id uuid primary key,
  operator_id uuid not null references operator(id),
  kind text not null,
  token_sha256 text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  version integer not null default 1,
  mac text not null default '',
  constraint operator_invitation_operator_id_key unique (operator_id),
  constraint operator_invitation_token_sha256_key unique (token_sha256)
);

-- E-mails to operators, which the notifier fetches by id. Their links are sealed to it, and of no use after `good_until`.
create table operator_letter (
  id uuid primary key,
  operator_id uuid not null references operator(id),
  template text not null,
  language text not null,
  recipient text not null,
  caused_by text not null,
  sealed_secret text,
  good_until timestamptz not null,
  created_at timestamptz not null
);
create index operator_letter_operator_id on operator_letter (operator_id);
create index operator_letter_good_until on operator_letter (good_until);

-- Who an operator is at the organisation's OpenID provider.
create table operator_identity (
  id uuid primary key,
  operator_id uuid not null references operator(id),
  issuer text not null,
  subject text not null,
  created_at timestamptz not null default now(),
  version integer not null default 1,
  mac text not null default '',
  constraint operator_identity_issuer_subject_key unique (issuer, subject)
);
create index operator_identity_operator_id on operator_identity (operator_id);

-- A sign-in that was begun is finished once, at whichever copy: its row is committed before the provider is asked.
create table used_openid_flow (
  id uuid primary key,
  expires_at timestamptz not null
);
create index used_openid_flow_expires_at on used_openid_flow (expires_at);

-- Second factors of operators: one-time codes (RFC 6238) and passkeys. Without confirmed_at it is not enrolled yet.
create table operator_factor (
  id uuid primary key,
  operator_id uuid not null references operator(id),
  kind text not null,
  name text not null,
  sealed_secret text,
  -- The step of the last code that was taken: none counts twice.
  last_step integer not null default 0,
  credential_id text,
  public_key text,
  counter bigint not null default 0,
  transports jsonb not null default '[]'::jsonb,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_used_at timestamptz,
  version integer not null default 1,
  mac text not null default ''
);
create index operator_factor_operator_id on operator_factor (operator_id);
create unique index operator_factor_credential_id on operator_factor (credential_id);

create table operator_recovery_code (
  id uuid primary key,
  operator_id uuid not null references operator(id),
  code_sha256 text not null,
  used_at timestamptz,
  version integer not null default 1,
  mac text not null default ''
);
create index operator_recovery_code_operator_id on operator_recovery_code (operator_id);

-- Who has a review open now, for colleagues to see. It binds nobody; a lease runs out unless the page renews it.
create table review_presence (
  request_id uuid references request(id),
  operator_id uuid references operator(id),
  since timestamptz not null,
  until timestamptz not null,
  primary key (request_id, operator_id)
);
create index review_presence_operator_id on review_presence (operator_id);
create index review_presence_until on review_presence (until);

-- What a passkey is asked to sign; the row goes when it was signed, so that no answer counts twice.
create table operator_challenge (
  challenge text primary key,
  -- Who enrols a passkey by it; nobody yet where one signs in.
  operator_id uuid references operator(id),
  expires_at timestamptz not null
);
create index operator_challenge_expires_at on operator_challenge (expires_at);
create index operator_challenge_operator_id on operator_challenge (operator_id);

-- What became of the requests of one day: reports read days, and a month costs the same however many requests it has.
create table request_day (
  -- Of registration, where the deployment is.
  day date,
  partner_id uuid references partner(id),
  family text,
  registered integer not null,
  issued integer not null,
  refused integer not null,
  cancelled integer not null,
  expired integer not null,
  -- By kind (`certificate`, `review`): counts by the logarithm of the milliseconds.
  times jsonb not null,
  primary key (day, partner_id, family)
);
create index request_day_partner_id on request_day (partner_id, day);

create table request_day_computed (
  day date primary key,
  computed_at timestamptz not null
);

create table claim_right (
  secret_sha256 text primary key,
  request_id uuid not null references request(id),
  -- The link's: a right dies with it.
  token_sha256 text not null,
  purpose text not null check (purpose in ('claim', 'download')),
  expires_at timestamptz not null
);
create index claim_right_request_id on claim_right (request_id);
create index claim_right_expires_at on claim_right (expires_at);

create table claim_link (
  token_sha256 text primary key,
  request_id uuid not null references request(id),
  expires_at timestamptz not null
);
create index claim_link_request_id on claim_link (request_id);
create index claim_link_expires_at on claim_link (expires_at);
