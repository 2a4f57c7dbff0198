-- What is held of a request, until when, and who has stopped the clock or wants it gone.
alter table request
  add column evidence_due_at timestamptz,
  add column legal_hold_at timestamptz,
  add column legal_hold_reason text,
  -- An operator asked to erase what the law does not ask to keep.
  add column erase_requested_at timestamptz,
  -- Nothing personal is left.
  add column erased_at timestamptz,
  -- Grows with every hold and erasure: peers never take an older word for a newer one.
  add column retention_version integer not null default 0;

-- The sweeper's question costs what is due, however many requests have ended.
create index request_evidence_due_at on request (evidence_due_at)
  where evidence_due_at is not null and legal_hold_at is null;
-- Ended by a release that did not date them yet: empty but for moments.
create index request_undated on request (id)
  where evidence_due_at is null and erased_at is null and status in ('GENERATED', 'REFUSED', 'CANCELLED', 'EXPIRED');

-- Peers that have to hear of a hold or an erasure; a row goes once its peer has confirmed.
create table retention_order (
  id bigint generated always as identity primary key,
  request_id uuid not null references request (id),
  peer text not null check (peer in ('generation', 'notifier')),
  lease_until timestamptz,
  created_at timestamptz not null default now()
);
create index retention_order_request_id on retention_order (request_id);
create index retention_order_peer on retention_order (peer, id);
