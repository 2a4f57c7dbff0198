-- Nothing refers to a step, and identity numbers are given once. What there is becomes the key: nothing is read or written.
-- squawk-ignore adding-serial-primary-key-field, disallowed-unique-constraint
alter table timeline drop constraint timeline_pkey, add constraint timeline_pkey primary key using index timeline_by_request;
