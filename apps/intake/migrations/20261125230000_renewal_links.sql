-- Links with which subscribers renew their certificates by themselves: one for each reminder that carries one.

create table renewal_link (
  token_sha256 text primary key,
  -- Whose certificate it renews.
  request_id uuid not null references request (id),
  -- The request that it has made.
  renewal_id uuid references request (id),
  -- Of that request, for the e-mail that says that its certificate is there: sealed to the notifier.
  sealed_token text,
  -- A person with a link that is over is told whom to ask until then.
  expires_at timestamptz not null
);
create index renewal_link_request_id on renewal_link (request_id);
create unique index renewal_link_renewal_id on renewal_link (renewal_id) where renewal_id is not null;
create index renewal_link_expires_at on renewal_link (expires_at);

-- What is otherwise asked of the applicant at the claim was there when it was registered.
alter table request add column claimed_at_registration boolean not null default false;

-- Codes with which subscribers renew count apart from those of the claim and of revocation.
alter table claim_code drop constraint claim_code_purpose_check;
alter table claim_code add constraint claim_code_purpose_check
  check (purpose in ('claim', 'download', 'revoke', 'renew')) not valid;
