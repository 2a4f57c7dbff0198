-- The request whose certificate this one renews.
alter table request add column renewal_of uuid;
-- When the former certificate is to be revoked because this one takes its place; infinity: once this one is issued.
alter table request add column supersede_due_at timestamptz;
