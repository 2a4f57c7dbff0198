-- A file that was sent anew is encrypted with the key of that call; null: with the request's own, as it was registered.
alter table evidence add column key text;
