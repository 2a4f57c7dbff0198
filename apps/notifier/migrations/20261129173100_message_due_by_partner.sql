-- without transaction
-- Leases go round the partners and then round the templates of each. The release before leases by message_due_by_template, which the next one drops.
create index concurrently if not exists message_due_by_partner on message (channel, coalesce(partner_id, '00000000-0000-0000-0000-000000000000'::uuid), template, due_at) where state = 'PENDING';
