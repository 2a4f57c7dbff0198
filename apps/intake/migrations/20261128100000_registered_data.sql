-- What was registered, and the decision on it, under a MAC of the service. Null: written by the release before.
alter table request
  add column password_sha256 text,
  add column evidence_sha256 text,
  add column supersedes boolean not null default false,
  add column decision jsonb,
  add column data_version integer not null default 1,
  add column data_mac text;
