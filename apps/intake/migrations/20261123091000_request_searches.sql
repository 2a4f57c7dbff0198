-- What operators search requests by. A search names any of partner, family and the two statuses: whatever it leaves open
-- is looked up value by value, each from its newest request on, so that none of them walks over what it does not show.
create index request_by_state on request (family, status, validation_status, created_at desc, id desc);
create index request_by_partner on request (partner_id, family, status, validation_status, created_at desc, id desc);
-- Erased requests name nobody.
create index request_by_applicant on request (identification_number, created_at desc, id desc)
  where identification_number <> '';
drop index request_status_created_at, request_identification_number;

-- The same rule, in the order in which a reference alone is found too.
alter table request
  add constraint request_reference unique (reference_transaction, partner_id),
  drop constraint request_partner_id_reference_transaction_key;

-- What was issued within a day.
create index request_generated_at on request (updated_at) where status = 'GENERATED';
