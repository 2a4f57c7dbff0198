-- without transaction
-- Leases go round the partners and then round each one's destinations. The release before leases by delivery_due, which the next one drops.
create index concurrently if not exists delivery_due_by_partner on delivery (partner_id, destination, due_at) where state = 'PENDING';
