-- without transaction
-- A partner's list of what is revoked or on hold.
create index concurrently if not exists certificate_revoked_of_partner on certificate
  (partner_id, lifetime_days, issued_at desc, id desc) where revoked_at is not null or held_at is not null;
