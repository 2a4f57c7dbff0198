-- without transaction
-- Changes of status since a revocation list was signed.
create index concurrently if not exists audit_entry_status_at on audit_entry (at, serial)
  where action in ('certificate.revoked', 'certificate.held', 'certificate.released');
