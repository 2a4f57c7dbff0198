-- A partner's deliveries are found state by state, newest first: of one with a million that arrived, the ten that did not.
create index delivery_by_partner_and_state on delivery (partner_id, state, id);
drop index delivery_by_partner;
