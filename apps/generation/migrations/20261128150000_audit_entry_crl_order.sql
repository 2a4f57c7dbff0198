-- without transaction
-- The newest revocation list of each name, and of one number the oldest entry first.
create index concurrently if not exists audit_entry_crl_order
  on audit_entry ((detail ->> 'target'), ((detail ->> 'number')::bigint) desc, sequence)
  where action = 'crl.signed';
