-- Messages take turns by partner. Null: one to an operator, or one that the release before has stored.
alter table message add column partner_id uuid;
