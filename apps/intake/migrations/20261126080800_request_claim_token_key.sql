-- `request_claim_token` says the same.
alter table request drop constraint if exists request_claim_token_sha256_key;
