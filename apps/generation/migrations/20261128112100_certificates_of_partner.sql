-- without transaction
-- A partner's own list, newest first.
create index concurrently if not exists certificate_of_partner on certificate (partner_id, issued_at, id);
