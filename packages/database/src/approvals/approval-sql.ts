/** Changes that wait for a second administrator, for a service's migrations. Never edit; a change is a new piece. */
export const approvalTableSql = `
create table approval (
  id uuid primary key,
  procedure text not null,
  input jsonb not null,
  -- The record that the change is about, as it was; null for a new one.
  before jsonb,
  after jsonb not null,
  -- SHA-256 (hex) of procedure, input and before: what was proposed is what is approved.
  digest text not null unique,
  proposed_by uuid not null,
  proposer_email text not null,
  reason text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index approval_expires_at on approval (expires_at);
`;
