-- without transaction
-- `certificate_by_issuance` finds the same.
drop index concurrently if exists certificate_newest;
