-- Whose order it was. What is asked for a partner is compared with it in the query.
alter table certificate add column partner_id uuid not null;
