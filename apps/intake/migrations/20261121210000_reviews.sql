-- Review by operators. The columns speak of the present, or else the last, time that a request waits for a person. All
-- have values from the start, so that a release without reviews can still send a request to one.
alter table request
  -- The partner's policy as it was when the review began.
  add column review_policy text not null default 'manual' check (review_policy in ('manual', 'four-eyes')),
  add column review_reason text not null default 'REGISTRY' check (review_reason in ('POLICY', 'REGISTRY')),
  add column review_since timestamptz not null default now(),
  add column review_assigned_to uuid references operator (id);

update request set review_since = updated_at
  where status = 'VALIDATING' and validation_status = 'MANUALLY_VALIDATING';

-- The queue: costs what waits, however many requests were ever reviewed. A cancelled request keeps its validation status.
create index request_review_queue on request (review_since, id)
  where status = 'VALIDATING' and validation_status = 'MANUALLY_VALIDATING';
create index request_review_assigned_to on request (review_assigned_to) where review_assigned_to is not null;

-- Who approved, in which validation attempt: the key keeps one operator from counting twice.
create table review_approval (
  request_id uuid not null references request (id),
  attempt integer not null,
  operator_id uuid not null references operator (id),
  at timestamptz not null,
  comment text,
  primary key (request_id, attempt, operator_id)
);
create index review_approval_operator_id on review_approval (operator_id);

-- A way to one file for one operator, for minutes; who knows the token may open it, so only its hash is here.
create table evidence_link (
  token_sha256 text primary key,
  request_id uuid not null references request (id),
  evidence_id uuid not null references evidence (id) on delete cascade,
  operator_id uuid not null references operator (id),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index evidence_link_request_id on evidence_link (request_id);
create index evidence_link_evidence_id on evidence_link (evidence_id);
create index evidence_link_operator_id on evidence_link (operator_id);
create index evidence_link_expires_at on evidence_link (expires_at);
