-- without transaction
-- The status of a certificate as the audit log has it.
create index concurrently if not exists audit_entry_status on audit_entry (serial, sequence)
  where action in ('certificate.revoked', 'certificate.held', 'certificate.released');
