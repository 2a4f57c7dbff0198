-- A certificate is ordered from generation at once, or after others of its partner.
alter table request add column awaits_issuance_slot boolean not null default false;
