-- MAC of a link over its request, by a key that the database never sees: who can write here can give no link of their own to a
-- request. Null in links of the release before.
alter table request add column claim_link_mac text;
alter table renewal_link add column mac text;
-- Links that were there before, as the owner of the schema found them. The service's role may only read them.
create table link_at_upgrade (
  token_sha256 text primary key,
  request_id uuid not null,
  -- The request that a link to renew had made by then.
  renewal_id uuid
);
insert into link_at_upgrade (token_sha256, request_id, renewal_id)
select claim_token_sha256, id, null from request where claim_token_sha256 is not null
union all select token_sha256, request_id, renewal_id from renewal_link
on conflict do nothing;
