-- without transaction
-- The same rule, without an entry for each version of a request that has no link: most have none.
create unique index concurrently if not exists request_claim_token on request (claim_token_sha256)
  where claim_token_sha256 is not null;
