-- Every link that was given out, so that a person with a dead one can be told whom to ask, and be sent another.

create table claim_link (
  token_sha256 text primary key,
  request_id uuid not null references request (id),
  expires_at timestamptz not null
);
create index claim_link_request_id on claim_link (request_id);
create index claim_link_expires_at on claim_link (expires_at);

insert into claim_link (token_sha256, request_id, expires_at)
select claim_token_sha256, id, claim_expires_at + interval '30 days'
from request where claim_token_sha256 is not null and claim_expires_at is not null;

-- Links that the applicant asked for; those that the partner sent again are counted by themselves.
alter table request add column own_resend_count integer not null default 0;
