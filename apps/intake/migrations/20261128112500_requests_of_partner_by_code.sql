-- without transaction
-- A partner's list by the code of a fault; few requests have one.
create index concurrently if not exists request_of_partner_by_code on request (partner_id, error_code, created_at, id)
  where error_code is not null;
