-- What a partner wants to happen with its certificates after their issuance: events beyond those that everybody gets, types of
-- certificates whose holders are reminded of the end, and whether holders renew by themselves.
alter table partner
  add column events text[] not null default '{}',
  add column holder_reminders text[] not null default '{TRADITIONAL_SIGNATURE}',
  add column holder_renewal boolean not null default false;
