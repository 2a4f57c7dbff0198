-- without transaction
-- Counts what generation has been asked for by partner.
create index concurrently if not exists request_ordered on request (partner_id)
  where status = 'GENERATING' and not awaits_issuance_slot;
