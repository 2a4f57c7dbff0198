-- What locks in the evidence store: a row for each object that may be locked there, until it is gone.
create table evidence_lock (
  object_id text primary key,
  -- Of its evidence; that may be gone already, or rest elsewhere.
  evidence_id uuid not null,
  -- What the store was told: until when it is kept, and whether it is under legal hold there.
  retain_until timestamptz,
  is_held boolean not null default false,
  -- Its evidence is gone: it waits for the end of its lock.
  is_erased boolean not null default false,
  -- When it is to be looked at; null: when something changes.
  due_at timestamptz,
  -- Grows with each wish, so that one that comes while another is carried out is not lost.
  asked integer not null default 0,
  failing_since timestamptz,
  lease_until timestamptz,
  fence integer not null default 0
);
create index evidence_lock_evidence_id on evidence_lock (evidence_id);
create index evidence_lock_due_at on evidence_lock (due_at) where due_at is not null;
create index evidence_lock_failing_since on evidence_lock (failing_since) where failing_since is not null;
create index evidence_lock_erased on evidence_lock (object_id) where is_erased;
