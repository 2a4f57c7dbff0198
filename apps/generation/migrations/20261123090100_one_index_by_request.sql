-- `audit_entry_by_request` finds the same, and gives the order too.
drop index audit_entry_request;
