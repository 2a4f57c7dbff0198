-- without transaction
-- Issuance by serial number: a certificate whose row was altered is asked for by it.
create index concurrently if not exists audit_entry_issued on audit_entry (serial) where action = 'certificate.issued';
