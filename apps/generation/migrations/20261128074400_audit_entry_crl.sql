-- without transaction
-- The newest revocation list of each name.
create index concurrently if not exists audit_entry_crl on audit_entry ((detail ->> 'target'), ((detail ->> 'number')::bigint))
  where action = 'crl.signed';
