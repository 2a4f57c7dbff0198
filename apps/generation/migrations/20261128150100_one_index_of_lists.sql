-- without transaction
-- `audit_entry_crl_order` finds the same, and gives the order too.
drop index concurrently if exists audit_entry_crl;
