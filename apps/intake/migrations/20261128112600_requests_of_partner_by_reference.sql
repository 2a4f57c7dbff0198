-- without transaction
-- A partner's list by the beginning of a reference: the order of bytes finds a beginning whatever the database sorts by.
create index concurrently if not exists request_of_partner_by_reference on request (partner_id, reference_transaction collate "C");
