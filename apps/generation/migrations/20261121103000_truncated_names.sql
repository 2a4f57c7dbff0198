-- Attributes of the subject that were longer than a certificate may hold and so were cut: types, never values.
alter table certificate add column truncated text[] not null default '{}';
