-- without transaction
-- Finds the oldest request of a partner that waits for a slot.
create index concurrently if not exists request_awaiting_slot on request (partner_id, updated_at)
  where status = 'GENERATING' and awaits_issuance_slot;
