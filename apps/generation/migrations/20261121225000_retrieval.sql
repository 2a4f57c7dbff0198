-- A webhook may still hand the file over until then; null where there is none, or it was delivered.
alter table bundle add column deliver_until timestamptz;
