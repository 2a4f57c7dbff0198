-- without transaction
-- As of intake's requests: in the order in which certificates come, so that pages are filled, not split in halves.
create index concurrently if not exists certificate_by_issuance on certificate (issued_at, id);
