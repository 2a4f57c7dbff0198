-- without transaction
-- A partner's list by the end of its certificates, as `certificate_by_lifetime` finds those of all.
create index concurrently if not exists certificate_of_partner_by_lifetime
  on certificate (partner_id, lifetime_days, issued_at desc, id desc);
