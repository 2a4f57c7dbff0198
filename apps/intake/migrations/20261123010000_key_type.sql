-- The kind of key that a partner's subscribers get.
alter table partner add column key_type text not null default 'RSA-2048' check (key_type in ('RSA-2048', 'RSA-3072', 'EC-P256'));
