-- Migrations since release 0.1.0, in the order in which they run.

-- migration 20261123213000_partner_logo
-- What applicants see beside a partner's name. Apart from the partner, which is read often.
create table partner_logo (
  partner_id uuid primary key references partner (id),
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  sha256 text not null,
  base64 text not null check (length(base64) <= 65536)
);

-- migration 20261124030000_evidence_scrub
-- How far the scrub is: one row. It reads all evidence in the order of its ids, over as many days as the setting says.
create table evidence_scrub (
  id integer primary key check (id = 1),
  last_id uuid not null default '00000000-0000-0000-0000-000000000000',
  -- Of the present round; of the next one where that is to come.
  began_at timestamptz not null default now(),
  -- When the evidence after `last_id` is to be read.
  due_at timestamptz not null default now(),
  read bigint not null default 0,
  -- What was found on this day, where the deployment is.
  day date not null default current_date,
  sound bigint not null default 0,
  missing bigint not null default 0,
  damaged bigint not null default 0,
  unopenable bigint not null default 0,
  bytes bigint not null default 0,
  lease_until timestamptz,
  fence integer not null default 0
);
insert into evidence_scrub (id) values (1);

-- Evidence that was not sound when it was read last.
create table evidence_fault (
  evidence_id uuid primary key references evidence (id) on delete cascade,
  outcome text not null,
  -- When it was found first, and on which day last.
  found_at timestamptz not null,
  day date not null
);
create index evidence_fault_found_at on evidence_fault (found_at);
create index evidence_fault_day on evidence_fault (day);

-- migration 20261124031000_evidence_move
-- How far the mover is: one row. It takes evidence out of its rows into the evidence store, in the order of ids.
create table evidence_move (
  id integer primary key check (id = 1),
  last_id uuid not null default '00000000-0000-0000-0000-000000000000',
  lease_until timestamptz,
  fence integer not null default 0
);
insert into evidence_move (id) values (1);

-- What was moved leaves room that the next files take: vacuum comes after a fiftieth, not after a fifth of the table.
alter table evidence set (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);

-- migration 20261124050000_evidence_lock
-- What locks in the evidence store: a row for each object that may be locked there, until it is gone.
create table evidence_lock (
  object_id text primary key,
  -- Of its evidence; that may be gone already, or rest elsewhere.
  evidence_id uuid not null,
  -- What the store was told: until when it is kept, and whether it is under legal hold there.
  retain_until timestamptz,
  is_held boolean not null default false,
  -- Its evidence is gone: it waits for the end of its lock.
  is_erased boolean not null default false,
  -- When it is to be looked at; null: when something changes.
  due_at timestamptz,
  -- Grows with each wish, so that one that comes while another is carried out is not lost.
  asked integer not null default 0,
  failing_since timestamptz,
  lease_until timestamptz,
  fence integer not null default 0
);
create index evidence_lock_evidence_id on evidence_lock (evidence_id);
create index evidence_lock_due_at on evidence_lock (due_at) where due_at is not null;
create index evidence_lock_failing_since on evidence_lock (failing_since) where failing_since is not null;
create index evidence_lock_erased on evidence_lock (object_id) where is_erased;

-- migration 20261124130000_renewals
-- The request whose certificate this one renews.
alter table request add column renewal_of uuid;
-- When the former certificate is to be revoked because this one takes its place; infinity: once this one is issued.
alter table request add column supersede_due_at timestamptz;

-- migration 20261124130100_one_renewal
-- without transaction
-- One renewal of a certificate that is open or issued: one that ended without a certificate, or whose certificate was
-- revoked, makes room for another.
create unique index concurrently if not exists request_renewal_of on request (renewal_of)
  where renewal_of is not null and status not in ('CANCELLED', 'REFUSED', 'EXPIRED')
    and certificate_status is distinct from 'REVOKED';

-- migration 20261124130200_supersede_due
-- without transaction
create index concurrently if not exists request_supersede_due_at on request (supersede_due_at)
  where supersede_due_at is not null;

-- migration 20261124150000_quota
-- Requests that a partner may register, by certificate type: {"TRADITIONAL_SIGNATURE": 100} in a month,
-- {"TRADITIONAL_SIGNATURE": {"limit": 100, "from": "2026-11-01", "until": "2027-10-31"}} over those days; none where absent.
alter table partner add column quota jsonb not null default '{}';

-- How much of a quota is used. A count has eight parts, so that calls at the same moment need not wait for each other's
-- commit: the sum of `most` is the quota, the sum of `used` what counts against it. While one part has more than its most
-- (a quota was lowered), none has less.
create table quota_use (
  partner_id uuid not null references partner (id),
  certificate_type text not null,
  from_at timestamptz not null,
  until_at timestamptz not null,
  part smallint not null check (part between 0 and 7),
  most integer not null,
  used integer not null check (used >= 0),
  primary key (partner_id, certificate_type, from_at, until_at, part)
) with (fillfactor = 50);

-- The count that a setting means at that time: of the month around it, or of the package's days.
create function quota_period(setting jsonb, at timestamptz, zone text)
returns table (most integer, from_at timestamptz, until_at timestamptz) language sql stable as $$
  select case jsonb_typeof(setting) when 'number' then setting::integer else (setting ->> 'limit')::integer end,
    case jsonb_typeof(setting) when 'number' then date_trunc('month', at, zone)
      else (setting ->> 'from')::date::timestamp at time zone zone end,
    case jsonb_typeof(setting)
      when 'number' then (date_trunc('month', at at time zone zone) + interval '1 month') at time zone zone
      else ((setting ->> 'until')::date + 1)::timestamp at time zone zone end
$$;

-- Counts one registration, in its own transaction. Null where there is no quota; raises RB429 where it is used up, with
-- {"limit", "until"} as detail ("until" null for a package). Whoever changes the setting holds the partner's row for
-- update: either the change sees this registration committed, or this sees the change.
create function take_quota(of_partner uuid, of_type text, at timestamptz, zone text)
returns jsonb language plpgsql as $$
declare
  setting jsonb;
  period record;
  chosen smallint;
  is_taken boolean;
begin
  select quota -> of_type into setting from partner where id = of_partner for key share;
  if setting is null or jsonb_typeof(setting) = 'null' then return null; end if;
  select * into period from quota_period(setting, at, zone);
  if at < period.from_at or at >= period.until_at then return null; end if;
  -- Locked, and changed by its key after: a change that waited for another's commit would choose anew.
  select part into chosen from quota_use
  where (partner_id, certificate_type, from_at, until_at) = (of_partner, of_type, period.from_at, period.until_at)
    and used < most
  order by random() limit 1 for update skip locked;
  is_taken := found;
  if is_taken then
    update quota_use set used = used + 1
    where (partner_id, certificate_type, from_at, until_at, part)
      = (of_partner, of_type, period.from_at, period.until_at, chosen);
  end if;
  if not is_taken then
    -- The first of a month; or parts that are full or in others' hands.
    insert into quota_use (partner_id, certificate_type, from_at, until_at, part, most, used)
    select of_partner, of_type, period.from_at, period.until_at, part, (period.most + part) / 8, 0
    from generate_series(0, 7) part
    on conflict do nothing;
    for one in 0..7 loop
      update quota_use u set used = u.used + 1
      where (u.partner_id, u.certificate_type, u.from_at, u.until_at, u.part)
        = (of_partner, of_type, period.from_at, period.until_at, one) and u.used < u.most;
      is_taken := found;
      exit when is_taken;
    end loop;
  end if;
  if not is_taken then
    raise exception 'the quota is used up' using errcode = 'RB429', detail = jsonb_build_object(
      'limit', period.most,
      'until', case jsonb_typeof(setting) when 'number' then period.until_at end);
  end if;
  return quota_left(of_partner, of_type, at, zone);
end
$$;

-- {"limit", "remaining", "until"} as it stands, or null where there is no quota.
create function quota_left(of_partner uuid, of_type text, at timestamptz, zone text)
returns jsonb language plpgsql as $$
declare
  setting jsonb;
  period record;
  remaining integer;
begin
  select quota -> of_type into setting from partner where id = of_partner;
  if setting is null or jsonb_typeof(setting) = 'null' then return null; end if;
  select * into period from quota_period(setting, at, zone);
  if at < period.from_at or at >= period.until_at then return null; end if;
  select sum(most - used) into remaining from quota_use
  where (partner_id, certificate_type, from_at, until_at) = (of_partner, of_type, period.from_at, period.until_at);
  return jsonb_build_object(
    'limit', period.most,
    'remaining', greatest(0, coalesce(remaining, period.most)),
    'until', case jsonb_typeof(setting) when 'number' then period.until_at end);
end
$$;

-- Gives one back to every count that the registration fell into, in the transaction that ends its request.
create function give_quota_back(of_partner uuid, of_type text, at timestamptz)
returns integer language plpgsql as $$
declare
  period record;
  chosen smallint;
  given integer := 0;
begin
  perform 1 from partner where id = of_partner for key share;
  for period in
    select from_at, until_at, bool_or(used > most) as is_lowered from quota_use
    where partner_id = of_partner and certificate_type = of_type and from_at <= at and until_at > at
    group by from_at, until_at
  loop
    -- What is over its most goes first, whoever gives back beside it.
    if period.is_lowered then
      perform 1 from quota_use
      where (partner_id, certificate_type, from_at, until_at) = (of_partner, of_type, period.from_at, period.until_at)
      order by part for update;
    end if;
    select part into chosen from quota_use
    where (partner_id, certificate_type, from_at, until_at) = (of_partner, of_type, period.from_at, period.until_at)
      and used > 0
    order by used - most desc, part limit 1 for update;
    if found then
      update quota_use set used = used - 1
      where (partner_id, certificate_type, from_at, until_at, part)
        = (of_partner, of_type, period.from_at, period.until_at, chosen);
      given := given + 1;
    end if;
  end loop;
  return given;
end
$$;

-- Begins the counts of a partner's quota anew, from the requests that there are; in the transaction that changes the
-- setting and holds the partner's row for update.
create function count_quota(of_partner uuid, at timestamptz, zone text)
returns integer language plpgsql as $$
declare
  one record;
  counted integer;
  kinds integer := 0;
begin
  for one in
    select key as kind, period.* from partner, jsonb_each(quota), quota_period(value, at, zone) period
    where partner.id = of_partner and jsonb_typeof(value) <> 'null'
    order by key
  loop
    insert into quota_use (partner_id, certificate_type, from_at, until_at, part, most, used)
    select of_partner, one.kind, one.from_at, one.until_at, part, 0, 0 from generate_series(0, 7) part
    on conflict do nothing;
    -- Whoever gives back meanwhile has done so before the count, or does it after.
    perform 1 from quota_use
    where (partner_id, certificate_type, from_at, until_at) = (of_partner, one.kind, one.from_at, one.until_at)
    order by part for update;
    select count(*) into counted from request
    where partner_id = of_partner and certificate_type = one.kind
      and created_at >= one.from_at and created_at < one.until_at
      and status not in ('CANCELLED', 'REFUSED', 'EXPIRED');
    update quota_use set used = (counted + part) / 8,
      most = (counted + part) / 8 + floor((one.most - counted + part) / 8.0)::integer
    where (partner_id, certificate_type, from_at, until_at) = (of_partner, one.kind, one.from_at, one.until_at);
    kinds := kinds + 1;
  end loop;
  return kinds;
end
$$;

-- migration 20261124160000_revoked
-- When the certificate was revoked and why, as generation told; of one on hold the reason alone.
alter table request add column revoked_at timestamptz;
alter table request add column revocation_reason text;

-- migration 20261124180000_evidence_to_move
-- without transaction
-- What is to be taken into the store, or from `incoming/` to `kept/`, when its request has ended.
create index concurrently if not exists evidence_to_move on evidence (id)
where content is not null or (object ->> 'store' = 's3' and object ->> 'area' = 'incoming');

-- migration 20261125110000_vacuum_of_large_tables
-- Searches and the overview read newest rows by an index alone, which PostgreSQL can where vacuum has seen their pages. By
-- default it comes after a fifth of a table is new: of two million requests those of seven months.
alter table request set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01);
alter table request_word set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.01);
alter table timeline set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

-- migration 20261125230000_after_issuance_settings
-- What a partner wants to happen with its certificates after their issuance: events beyond those that everybody gets, types of
-- certificates whose holders are reminded of the end, and whether holders renew by themselves.
alter table partner
  add column events text[] not null default '{}',
  add column holder_reminders text[] not null default '{TRADITIONAL_SIGNATURE}',
  add column holder_renewal boolean not null default false;

-- migration 20261125230000_renewal_links
-- Links with which subscribers renew their certificates by themselves: one for each reminder that carries one.

create table renewal_link (
  token_sha256 text primary key,
  -- Whose certificate it renews.
  request_id uuid not null references request (id),
  -- The request that it has made.
  renewal_id uuid references request (id),
  -- Of that request, for the e-mail that says that its certificate is there: sealed to the notifier.
  sealed_token text,
  -- A person with a link that is over is told whom to ask until then.
  expires_at timestamptz not null
);
create index renewal_link_request_id on renewal_link (request_id);
create unique index renewal_link_renewal_id on renewal_link (renewal_id) where renewal_id is not null;
create index renewal_link_expires_at on renewal_link (expires_at);

-- What is otherwise asked of the applicant at the claim was there when it was registered.
alter table request add column claimed_at_registration boolean not null default false;

-- Codes with which subscribers renew count apart from those of the claim and of revocation.
alter table claim_code drop constraint claim_code_purpose_check;
alter table claim_code add constraint claim_code_purpose_check
  check (purpose in ('claim', 'download', 'revoke', 'renew')) not valid;

-- migration 20261125231500_certificate_reminders
-- When the next reminder of a certificate's end is looked at, by the real clock; infinity: none is left. Null where an older
-- release issued it: the sweeper dates it as its end comes near.
alter table request add column next_reminder_at timestamptz;

-- How many days a certificate had left when its event was written.
alter table webhook_event add column days_left integer;

-- One row: up to when reminders have been given their share of the configured rate, by all copies together.
create table reminder_pace (
  is_only boolean primary key default true check (is_only),
  spent_until timestamptz not null default now()
);
insert into reminder_pace default values;

-- migration 20261125231600_next_reminder
-- without transaction
create index concurrently if not exists request_next_reminder_at on request (next_reminder_at)
  where next_reminder_at < 'infinity';

-- migration 20261125231700_undated_reminders
-- without transaction
-- Issued by an older release: empty but for those.
create index concurrently if not exists request_undated_reminders on request (not_after)
  where next_reminder_at is null and status = 'GENERATED';

-- migration 20261125233000_quota_without_deadlocks
-- The functions of a quota again. A refusal is of one moment at which nothing was left, and nobody waits for a part of a
-- count while it holds another: a transaction may commit several statements together, which would wait for each other.
-- What cannot be had at once fails such a transaction (55P03), and its statements are run one by one.

create function holds_quota() returns boolean language sql stable as $$
  select coalesce(current_setting('rubrica.holds_quota', true), '') = 'yes'
$$;

-- All parts of a count, in their order.
create function lock_quota(of_partner uuid, of_type text, begins timestamptz, ends timestamptz, waits boolean)
returns void language plpgsql as $$
begin
  if waits then
    perform 1 from quota_use
    where (partner_id, certificate_type, from_at, until_at) = (of_partner, of_type, begins, ends)
    order by part for update;
  else
    perform 1 from quota_use
    where (partner_id, certificate_type, from_at, until_at) = (of_partner, of_type, begins, ends)
    order by part for update nowait;
  end if;
end
$$;

create or replace function take_quota(of_partner uuid, of_type text, at timestamptz, zone text)
returns jsonb language plpgsql as $$
declare
  setting jsonb;
  period record;
  chosen smallint;
  is_taken boolean := false;
begin
  select quota -> of_type into setting from partner where id = of_partner for key share;
  if setting is null or jsonb_typeof(setting) = 'null' then return null; end if;
  select * into period from quota_period(setting, at, zone);
  if at < period.from_at or at >= period.until_at then return null; end if;
  loop
    -- Locked, and changed by its key after: a change that waited for another's commit would choose anew.
    select part into chosen from quota_use
    where (partner_id, certificate_type, from_at, until_at) = (of_partner, of_type, period.from_at, period.until_at)
      and used < most
    order by random() limit 1 for update skip locked;
    if found then
      update quota_use set used = used + 1
      where (partner_id, certificate_type, from_at, until_at, part)
        = (of_partner, of_type, period.from_at, period.until_at, chosen);
      is_taken := true;
    else
      -- The first of a month; or parts that are full or in others' hands.
      if holds_quota() then
        perform lock_quota(of_partner, of_type, period.from_at, period.until_at, false);
      end if;
      if not exists (select from quota_use
        where (partner_id, certificate_type, from_at, until_at) = (of_partner, of_type, period.from_at, period.until_at))
      then
        if holds_quota() then
          raise exception 'the count is begun by another' using errcode = 'lock_not_available';
        end if;
        insert into quota_use (partner_id, certificate_type, from_at, until_at, part, most, used)
        select of_partner, of_type, period.from_at, period.until_at, part, (period.most + part) / 8, 0
        from generate_series(0, 7) part
        on conflict do nothing;
      end if;
      for one in 0..7 loop
        update quota_use u set used = u.used + 1
        where (u.partner_id, u.certificate_type, u.from_at, u.until_at, u.part)
          = (of_partner, of_type, period.from_at, period.until_at, one) and u.used < u.most;
        is_taken := found;
        exit when is_taken;
      end loop;
    end if;
    exit when is_taken;
    -- One after the other they were full, each at its moment: what was given back meanwhile is for whoever asks.
    if not exists (select from quota_use
      where (partner_id, certificate_type, from_at, until_at) = (of_partner, of_type, period.from_at, period.until_at)
        and used < most)
    then
      raise exception 'the quota is used up' using errcode = 'RB429', detail = jsonb_build_object(
        'limit', period.most,
        'until', case jsonb_typeof(setting) when 'number' then period.until_at end);
    end if;
  end loop;
  perform set_config('rubrica.holds_quota', 'yes', true);
  return quota_left(of_partner, of_type, at, zone);
end
$$;

-- Gives one back to every count that the registration fell into, in the transaction that ends its request. In a batch a
-- transaction gives several back: it waits for all parts of a count, and takes partners, types and times in their order.
create function give_one_back(of_partner uuid, of_type text, at timestamptz, in_batch boolean)
returns integer language plpgsql as $$
declare
  period record;
  chosen smallint;
  given integer := 0;
  waits constant boolean := in_batch or not holds_quota();
begin
  perform 1 from partner where id = of_partner for key share;
  for period in
    select from_at, until_at, bool_or(used > most) as is_lowered from quota_use
    where partner_id = of_partner and certificate_type = of_type and from_at <= at and until_at > at
    -- A package before the months that it reaches over: the same order for all who wait.
    group by from_at, until_at order by until_at - from_at desc, from_at
  loop
    -- What is over its most goes first, whoever gives back beside it.
    if in_batch or period.is_lowered then
      perform lock_quota(of_partner, of_type, period.from_at, period.until_at, waits);
    end if;
    select part into chosen from quota_use
    where (partner_id, certificate_type, from_at, until_at) = (of_partner, of_type, period.from_at, period.until_at)
      and used > 0
    order by used - most desc, part limit 1 for update skip locked;
    if not found then
      perform lock_quota(of_partner, of_type, period.from_at, period.until_at, waits);
      select part into chosen from quota_use
      where (partner_id, certificate_type, from_at, until_at) = (of_partner, of_type, period.from_at, period.until_at)
        and used > 0
      order by used - most desc, part limit 1;
    end if;
    if found then
      update quota_use set used = used - 1
      where (partner_id, certificate_type, from_at, until_at, part)
        = (of_partner, of_type, period.from_at, period.until_at, chosen);
      perform set_config('rubrica.holds_quota', 'yes', true);
      given := given + 1;
    end if;
  end loop;
  return given;
end
$$;

create or replace function give_quota_back(of_partner uuid, of_type text, at timestamptz)
returns integer language sql as $$ select give_one_back(of_partner, of_type, at, false) $$;

create function give_quota_back_in_batch(of_partner uuid, of_type text, at timestamptz)
returns integer language sql as $$ select give_one_back(of_partner, of_type, at, true) $$;

-- migration 20261126080000_timeline_of_request
-- without transaction
-- Steps are read by request alone. Entries of the same request are kept as one, which they are not where each has a number too.
create index concurrently if not exists timeline_of_request on timeline (request_id);

-- migration 20261126080100_timeline_key
-- Nothing refers to a step, and identity numbers are given once: a key would only be one more entry for each.
alter table timeline drop constraint if exists timeline_pkey;

-- migration 20261126080200_timeline_request_id
-- without transaction
-- `timeline_of_request` finds the same; a request has few steps to sort.
drop index concurrently if exists timeline_request_id;

-- migration 20261126080300_newest_requests
-- without transaction
-- In the order in which requests come: a new one goes to the end, whose pages are filled. At the beginning each page is split
-- in halves that stay so. Both are read in either direction.
create index concurrently if not exists request_newest on request (created_at, id);

-- migration 20261126080400_request_created_at
-- without transaction
-- `request_newest` finds the same.
drop index concurrently if exists request_created_at;

-- migration 20261126080500_request_by_serial_number
-- without transaction
-- Numbers are asked for one by one, and generation says that each is there once: their hashes are less than half of them.
create index concurrently if not exists request_by_serial_number on request using hash (serial_number)
  where serial_number is not null;

-- migration 20261126080600_request_serial_number
-- without transaction
-- `request_by_serial_number` finds the same.
drop index concurrently if exists request_serial_number;

-- migration 20261126080700_request_claim_token
-- without transaction
-- The same rule, without an entry for each version of a request that has no link: most have none.
create unique index concurrently if not exists request_claim_token on request (claim_token_sha256)
  where claim_token_sha256 is not null;

-- migration 20261126080800_request_claim_token_key
-- `request_claim_token` says the same.
alter table request drop constraint if exists request_claim_token_sha256_key;

-- migration 20261126230000_registered_and_begun
-- Of a request whose validation began as it was registered, the entry of that beginning stands for the registration too.
alter table timeline add column registers boolean;

-- The steps of a request as they are told, in the order of `place`.
create view step as
select 2 * id as place, request_id, at, trigger, status, validation_status, code, actor, reason from timeline
union all
select 2 * id - 1, request_id, at, 'register', 'REGISTERED', 'PENDING', null, 'partner', null from timeline where registers;

-- migration 20261127010000_forgotten_codes
-- without transaction
-- For the sweeper: codes of the last days are looked at, older ones go.
create index concurrently if not exists claim_code_sent_at on claim_code (sent_at);

-- migration 20261128070500_codes_of_askers
-- A code to revoke with belongs to the browser that asked for it, and its limits to that browser, its address and the
-- telephone: who reads a serial number in a document uses up nobody's codes but their own. The release before writes none of these.
alter table claim_code
  -- `link`: by the link of the claim. `number`: by what stands in the certificate. Of revocations alone.
  add column way text check (way in ('link', 'number')),
  -- SHA-256 of the random value that the browser keeps, and of the network that it asked from.
  add column browser_sha256 text,
  add column address_sha256 text,
  -- SHA-256 of where the code went: one telephone may have several certificates.
  add column recipient_sha256 text;

-- migration 20261128070600_codes_of_askers_index
-- without transaction
-- The codes that anybody may have had sent to one telephone within a day.
create index concurrently if not exists claim_code_recipient on claim_code (recipient_sha256, sent_at)
  where way = 'number';

-- migration 20261128072000_guarded_codes
-- A code or a right counts for its MAC, by a key that the database never sees. What is written without one is over: codes of the
-- release before too, which are asked for once more.
alter table claim_code add column version integer not null default 1, add column mac text not null default '';
alter table claim_right
  add column id uuid,
  add column version integer not null default 1,
  add column mac text not null default '';

-- migration 20261128100000_registered_data
-- What was registered, and the decision on it, under a MAC of the service. Null: written by the release before.
alter table request
  add column password_sha256 text,
  add column evidence_sha256 text,
  add column supersedes boolean not null default false,
  add column decision jsonb,
  add column data_version integer not null default 1,
  add column data_mac text;

-- migration 20261128100100_data_upgrade
-- How long requests of the release before are taken over: for a day after this step, and not at all in a new database.
-- The service's role may only read it. `audit_sequence` and `timeline_id` are the ends of the audit chain and of the timeline at
-- that moment: what was decided up to there is proven by the chain, and a request with a later step is not as it was found.
-- Until `mixed_until`, which provisioning sets, requests that copies of the release before write are taken over as well.
create table data_upgrade (
  single_row boolean primary key default true check (single_row),
  began_at timestamptz not null default now(),
  ends_at timestamptz not null,
  mixed_until timestamptz not null default now(),
  audit_sequence bigint not null,
  timeline_id bigint not null
);
insert into data_upgrade (ends_at, audit_sequence, timeline_id)
select case when exists (select from request) then now() + interval '1 day' else now() end,
  coalesce((select max(chain_sequence) from audit), 0), coalesce((select max(id) from timeline), 0);
-- What a request, its state and its evidence are, in one digest.
create function digest_request(request) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(
    $1.id, $1.partner_id, $1.family, $1.reference_transaction, $1.identification_number, $1.application_type,
    $1.certificate_type, $1.period, $1.callback_url, $1.details, $1.password_origin, $1.sealed_password,
    $1.claimed_at_registration, $1.renewal_of, $1.supersede_due_at is not null, $1.review_policy,
    $1.status, $1.validation_status, $1.failed_step, $1.validation_attempt, $1.generation_attempt, $1.serial_number,
    (select jsonb_agg(jsonb_build_array(id, position, field, evidence_type, validator_url, media_type, size, sha256, error)
      order by position) from evidence where request_id = $1.id))::text, 'UTF8'))
$$;
-- Digests of the requests at that moment: a request without a MAC that is another now is nobody's. The service's role may only
-- read them.
create table request_at_upgrade (
  request_id uuid primary key,
  digest bytea not null
);
insert into request_at_upgrade (request_id, digest)
select id, digest_request(request) from request where erased_at is null;

-- migration 20261128100200_guarded_links
-- MACs of rows that are named by other columns than an id. Null: written by the release before, and good for minutes.
alter table evidence_link add column mac text;
alter table liveness_session add column mac text;

-- migration 20261128100500_operator_code_tally
-- Wrong one-time codes after a right password, counted for each enrolled app by the id of its factor.
create table operator_code_tally (
  id uuid primary key,
  in_row integer not null default 0,
  -- Times of those of the last day.
  wrong_at jsonb not null default '[]',
  -- Since then no code is compared.
  locked_at timestamptz,
  version integer not null default 1,
  mac text not null default ''
);

-- A row that is taken away, or put back as it once was, would start the count anew. The MAC covers the version. Within a
-- version the MAC alone changes, when the key that makes it does.
create function keep_code_tally() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.id <> old.id or new.version < old.version
    or new.version = old.version and (new.in_row, new.wrong_at, new.locked_at)
      is distinct from (old.in_row, old.wrong_at, old.locked_at)
  then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;
create trigger operator_code_tally_moves_forward before update or delete on operator_code_tally
  for each row execute function keep_code_tally();

-- Language of e-mails to the operator: that of the last link by e-mail.
alter table operator add column language text not null default 'es';

-- migration 20261128102200_forward_rows
-- Rows that give rights are not put back as they were. The service deletes none of these.
create trigger operator_moves_forward before update or delete on operator
  for each row execute function keep_row_forward();
create trigger operator_identity_moves_forward before update or delete on operator_identity
  for each row execute function keep_row_forward();
create trigger partner_moves_forward before update or delete on partner
  for each row execute function keep_row_forward();
create trigger partner_key_moves_forward before update or delete on partner_key
  for each row execute function keep_row_forward();
create trigger api_token_moves_forward before update or delete on api_token
  for each row execute function keep_row_forward();
create trigger webhook_secret_moves_forward before update or delete on webhook_secret
  for each row execute function keep_row_forward();

-- It deletes these when they are used, replaced or removed. The tables are small, and the triggers keep writers out meanwhile.
create trigger operator_factor_moves_forward before update on operator_factor
  for each row execute function keep_row_forward();
create trigger operator_factor_is_known after insert on operator_factor
  for each row execute function keep_row_known();
create trigger operator_recovery_code_moves_forward before update on operator_recovery_code
  for each row execute function keep_row_forward();
create trigger operator_recovery_code_is_known after insert on operator_recovery_code
  for each row execute function keep_row_known();
create trigger operator_invitation_moves_forward before update on operator_invitation
  for each row execute function keep_row_forward();
create trigger operator_invitation_is_known after insert on operator_invitation
  for each row execute function keep_row_known();
insert into known_row (table_name, row_id)
  select 'operator_factor', id from operator_factor
  union all select 'operator_recovery_code', id from operator_recovery_code
  union all select 'operator_invitation', id from operator_invitation;

-- migration 20261128112400_requests_of_partner
-- without transaction
-- A partner's own list, newest first, in the order in which requests come: pages are filled, not split in halves.
create index concurrently if not exists request_of_partner on request (partner_id, created_at, id);

-- migration 20261128112500_requests_of_partner_by_code
-- without transaction
-- A partner's list by the code of a fault; few requests have one.
create index concurrently if not exists request_of_partner_by_code on request (partner_id, error_code, created_at, id)
  where error_code is not null;

-- migration 20261128112600_requests_of_partner_by_reference
-- without transaction
-- A partner's list by the beginning of a reference: the order of bytes finds a beginning whatever the database sorts by.
create index concurrently if not exists request_of_partner_by_reference on request (partner_id, reference_transaction collate "C");

-- migration 20261128113000_operator_language
-- Language of e-mails to the operator: that of the last link by e-mail.
alter table operator add column if not exists language text not null default 'es';

-- migration 20261128114500_operator_factor_mark
-- Enrolled factors of each operator, so that one whose row is deleted is missed. The id is that of the operator.
create table operator_factor_mark (
  id uuid primary key,
  factor_ids jsonb not null,
  version integer not null default 1,
  mac text not null default ''
);

-- The MAC covers the version: a mark that is taken away, or put back as it once was, would hide what is missing.
create function keep_factor_mark() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.id <> old.id or new.version <= old.version then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;
create trigger operator_factor_mark_moves_forward before update or delete on operator_factor_mark
  for each row execute function keep_factor_mark();

-- migration 20261128151500_operator_session_forward
-- A session that has ended, or whose refresh token was used up, is not put back as it was. The MAC covers the version: within
-- one the MAC alone changes, when the key that makes it does. Rows are forgotten once the session is over by its time.
create function keep_operator_session() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.expires_at > now() then
      raise exception 'rows of % are kept until they expire', tg_table_name;
    end if;
    return old;
  end if;
  if (new.id, new.created_at, new.expires_at) is distinct from (old.id, old.created_at, old.expires_at)
    or old.ended_at is not null and new.ended_at is null
    or new.version < old.version
    or new.version = old.version and to_jsonb(new) - 'mac' is distinct from to_jsonb(old) - 'mac'
  then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;
create trigger operator_session_moves_forward before update or delete on operator_session
  for each row execute function keep_operator_session();

-- migration 20261128172300_webhook_event_mac
-- MAC over event, request, type and text, by a key that the database never sees. Null in rows of the release before.
alter table webhook_event add column mac text;

-- migration 20261128172400_link_macs
-- MAC of a link over its request, by a key that the database never sees: who can write here can give no link of their own to a
-- request. Null in links of the release before.
alter table request add column claim_link_mac text;
alter table renewal_link add column mac text;
-- Links that were there before, as the owner of the schema found them. The service's role may only read them.
create table link_at_upgrade (
  token_sha256 text primary key,
  request_id uuid not null,
  -- The request that a link to renew had made by then.
  renewal_id uuid
);
insert into link_at_upgrade (token_sha256, request_id, renewal_id)
select claim_token_sha256, id, null from request where claim_token_sha256 is not null
union all select token_sha256, request_id, renewal_id from renewal_link
on conflict do nothing;

-- migration 20261128172500_timeline_mac
-- MAC over an entry that names a person or a reason, by a key that the database never sees. Null in other entries, and in those
-- of the release before.
alter table timeline add column mac text;
-- An erasure takes the reason away; nothing gives an entry another one.
create function keep_timeline_reason() returns trigger language plpgsql as $$
begin
  if new.reason is not null and new.reason is distinct from old.reason then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;
create trigger timeline_reason_moves_forward before update of reason on timeline
  for each row execute function keep_timeline_reason();

-- migration 20261128224100_rows_whole
-- Rows that end by another column than their id: within one version the MAC alone changes, when its key does. A row that is given
-- to another for a while and put back would be passed over by what ends rows in between.
create function keep_row_whole() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.id <> old.id or new.version < old.version
    or new.version = old.version and to_jsonb(new) - 'mac' is distinct from to_jsonb(old) - 'mac'
  then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;

drop trigger operator_identity_moves_forward on operator_identity;
create trigger operator_identity_moves_forward before update or delete on operator_identity
  for each row execute function keep_row_whole();
drop trigger operator_recovery_code_moves_forward on operator_recovery_code;
create trigger operator_recovery_code_moves_forward before update on operator_recovery_code
  for each row execute function keep_row_whole();
drop trigger operator_invitation_moves_forward on operator_invitation;
create trigger operator_invitation_moves_forward before update on operator_invitation
  for each row execute function keep_row_whole();

-- migration 20261128224200_letter_mac
-- To whom a letter goes, and in whose name.
alter table operator_letter add column version integer not null default 1, add column mac text not null default '';

-- migration 20261129080000_generating_of_partner
-- without transaction
-- Counts what a partner has under way at generation; finished requests are not in it.
create index concurrently if not exists request_generating on request (partner_id) where status = 'GENERATING';

-- migration 20261129081200_webhook_secret_whole
-- Whose a webhook secret is, and until when it signs, does not change within a version: given to another partner for a while and put
-- back, its MAC fits again, and the rotation in between would have passed it over.
create function keep_secret_whole() returns trigger language plpgsql as $$
begin
  if new.version = old.version
    and (new.partner_id <> old.partner_id or new.expires_at is distinct from old.expires_at)
  then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;
create trigger webhook_secret_keeps_whole before update on webhook_secret
  for each row execute function keep_secret_whole();

-- migration 20261129081500_renewals_move_forward
-- The place of a renewal among those of the same certificate: 1 for the first. Null in renewals of the release before.
alter table request add column renewal_number integer;

-- Keeps what a renewal is: which certificate it renews, and that it takes its place. `supersede_due_at` ends by the entry of the
-- audit log that says so alone: a change that would end or postpone it otherwise leaves it as it was. The release before, which
-- writes no such entry, then finds it due again and is told that it is done. Names carry their schema, because the service's role
-- could shadow them by temporary tables.
create function keep_renewal() returns trigger language plpgsql as $$
begin
  if new.renewal_of is distinct from old.renewal_of or new.renewal_number is distinct from old.renewal_number
    -- Requests of the release before are taken over within the time that the schema's owner gave for it.
    or (old.supersedes and not new.supersedes
      and pg_catalog.now() >= (select ends_at from intake.data_upgrade))
  then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  if new.supersedes and new.supersede_due_at is distinct from old.supersede_due_at and (
    new.supersede_due_at > pg_catalog.now() + interval '1 minute'
    or new.supersede_due_at is null and not exists (
      select from intake.audit where action = 'certificates.supersede'
        and (coalesce(case when target like 'request:%' then pg_catalog.substr(target, 9) end, details ->> 'requestId')) = new.id::text))
  then
    new.supersede_due_at := old.supersede_due_at;
  end if;
  -- Whoever wrote that it is issued: generation is asked before anything is revoked.
  if new.status = 'GENERATED' and new.supersede_due_at = 'infinity' then
    new.supersede_due_at := pg_catalog.now();
  end if;
  return new;
end $$;
create trigger request_keeps_renewal before update of renewal_of, renewal_number, supersedes, supersede_due_at, status
  on request for each row when (old.renewal_of is not null) execute function keep_renewal();

-- migration 20261129081600_renewal_number
-- without transaction
-- Of two renewals that were judged on the same ones before them, one is registered, whatever became of the rows meanwhile.
create unique index concurrently if not exists request_renewal_number on request (renewal_of, renewal_number)
  where renewal_of is not null;

-- migration 20261129100000_request_reference
-- The reference by which a partner finds its request never changes: exchanged, two of them would lead to each other's certificates.
create function keep_request_reference() returns trigger language plpgsql as $$
begin
  if new.reference_transaction <> old.reference_transaction
    and not (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = tg_relid)
  then
    raise exception 'the reference of a % never changes', tg_table_name;
  end if;
  return new;
end $$;
create trigger request_keeps_reference before update of reference_transaction on request
  for each row execute function keep_request_reference();

-- migration 20261129160000_issuance_slots
-- A certificate is ordered from generation at once, or after others of its partner.
alter table request add column awaits_issuance_slot boolean not null default false;

-- migration 20261129160100_ordered_of_partner
-- without transaction
-- Counts what generation has been asked for by partner.
create index concurrently if not exists request_ordered on request (partner_id)
  where status = 'GENERATING' and not awaits_issuance_slot;

-- migration 20261129160200_waiting_of_partner
-- without transaction
-- Finds the oldest request of a partner that waits for a slot.
create index concurrently if not exists request_awaiting_slot on request (partner_id, updated_at)
  where status = 'GENERATING' and awaits_issuance_slot;

-- migration 20261129160300_one_count_of_partner
-- without transaction
drop index concurrently if exists request_generating;

-- migration 20261129163000_challenge_mac
-- A passkey signs each challenge once: a row that is put back, or made by hand, counts for nothing.
alter table operator_challenge add column mac text;

-- migration 20261129171500_request_owner
-- Whose a request is never changes: a row that its partner does not find would be verified by nobody, and its certificate not
-- be revoked.
create or replace function keep_request_reference() returns trigger language plpgsql as $$
begin
  if (new.reference_transaction <> old.reference_transaction or new.partner_id <> old.partner_id)
    and not (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = tg_relid)
  then
    raise exception 'the reference and the partner of a % never change', tg_table_name;
  end if;
  return new;
end $$;
drop trigger request_keeps_reference on request;
create trigger request_keeps_reference before update of reference_transaction, partner_id on request
  for each row execute function keep_request_reference();

-- migration 20261129180000_error_texts
alter table request add column error_text jsonb;
alter table evidence add column error_text jsonb;

-- migration 20261129232200_versions_of_operators
-- A field under the MAC that changes alone gives the row a new version, in whichever table.
create trigger operator_new_version before update on operator for each row
  when (new.version = old.version and (new.email, new.password_hash, new.role, new.enabled, new.gen, new.made_by)
    is distinct from (old.email, old.password_hash, old.role, old.enabled, old.gen, old.made_by))
  execute function give_new_version();
create trigger operator_factor_new_version before update on operator_factor for each row
  when (new.version = old.version and (new.operator_id, new.kind, new.sealed_secret, new.last_step, new.credential_id,
    new.public_key, new.counter, new.confirmed_at) is distinct from (old.operator_id, old.kind, old.sealed_secret,
    old.last_step, old.credential_id, old.public_key, old.counter, old.confirmed_at))
  execute function give_new_version();
alter table operator add constraint operator_times check (created_at between '0001-01-01' and '9999-12-31') not valid;

-- migration 20261129232300_versions_of_partners
create trigger partner_new_version before update on partner for each row
  when (new.version = old.version and (new.client_id, new.client_secret_sha256, new.client_secret_enabled,
    new.password_configuration, new.review_policy, new.legacy_pkcs12, new.key_type, new.scopes, new.enabled, new.gen)
    is distinct from (old.client_id, old.client_secret_sha256, old.client_secret_enabled, old.password_configuration,
    old.review_policy, old.legacy_pkcs12, old.key_type, old.scopes, old.enabled, old.gen))
  execute function give_new_version();
create trigger partner_key_new_version before update on partner_key for each row
  when (new.version = old.version and (new.partner_id, new.algorithm, new.jwk, new.thumbprint, new.removed_at)
    is distinct from (old.partner_id, old.algorithm, old.jwk, old.thumbprint, old.removed_at))
  execute function give_new_version();
create trigger api_token_new_version before update on api_token for each row
  when (new.version = old.version and (new.partner_id, new.token_sha256, new.scopes, new.expires_at, new.revoked_at)
    is distinct from (old.partner_id, old.token_sha256, old.scopes, old.expires_at, old.revoked_at))
  execute function give_new_version();
create trigger webhook_secret_new_version before update on webhook_secret for each row
  when (new.version = old.version and (new.partner_id, new.sealed, new.public_key, new.expires_at)
    is distinct from (old.partner_id, old.sealed, old.public_key, old.expires_at))
  execute function give_new_version();
alter table partner add constraint partner_times
  check (created_at between '0001-01-01' and '9999-12-31' and updated_at between '0001-01-01' and '9999-12-31') not valid;
alter table webhook_secret add constraint webhook_secret_times
  check (created_at between '0001-01-01' and '9999-12-31' and expires_at between '0001-01-01' and '9999-12-31') not valid;
alter table api_token add constraint api_token_times check (created_at between '0001-01-01' and '9999-12-31'
  and expires_at between '0001-01-01' and '9999-12-31' and revoked_at between '0001-01-01' and '9999-12-31') not valid;
alter table partner_key add constraint partner_key_times
  check (created_at between '0001-01-01' and '9999-12-31' and removed_at between '0001-01-01' and '9999-12-31') not valid;

-- migration 20261129232400_owner_restores_rows
-- The schema's owner may delete rows that the service has not written, and restore others.
create or replace function keep_row_whole() returns trigger language plpgsql as $$
begin
  if (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = tg_relid) then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' or new.id <> old.id or new.version < old.version
    or new.version = old.version and to_jsonb(new) - 'mac' is distinct from to_jsonb(old) - 'mac'
  then
    raise exception 'rows of % only move forward', tg_table_name;
  end if;
  return new;
end $$;

-- migration 20261129232500_times_of_requests
-- A time that no calendar has could not be shown, nor the list that it is in.
alter table request add constraint request_times check (created_at between '0001-01-01' and '9999-12-31'
  and updated_at between '0001-01-01' and '9999-12-31' and review_since between '0001-01-01' and '9999-12-31'
  and claim_expires_at between '0001-01-01' and '9999-12-31' and not_before between '0001-01-01' and '9999-12-31'
  and not_after between '0001-01-01' and '9999-12-31') not valid;

-- migration 20261129233000_sizes_of_guarded_rows
-- Guarded rows are read whole to be checked: one that is too large for that would keep all of its table from being checked.
alter table operator add constraint operator_sizes check (octet_length(email) <= 4096 and octet_length(password_hash) <= 4096
  and octet_length(made_by::text) <= 65536 and octet_length(mac) <= 1000) not valid;
alter table operator_factor add constraint operator_factor_sizes check (octet_length(name) <= 4096
  and octet_length(sealed_secret) <= 65536 and octet_length(credential_id) <= 65536 and octet_length(public_key) <= 65536
  and octet_length(transports::text) <= 65536 and octet_length(mac) <= 1000) not valid;
alter table partner add constraint partner_sizes check (octet_length(client_id) <= 4096
  and octet_length(client_secret_sha256) <= 4096 and octet_length(name) <= 4096 and octet_length(email) <= 4096
  and octet_length(array_to_string(scopes, ',', '')) <= 65536 and octet_length(mac) <= 1000) not valid;
alter table partner_key add constraint partner_key_sizes check (octet_length(jwk::text) <= 65536
  and octet_length(thumbprint) <= 4096 and octet_length(mac) <= 1000) not valid;
alter table api_token add constraint api_token_sizes check (octet_length(name) <= 4096 and octet_length(token_sha256) <= 4096
  and octet_length(array_to_string(scopes, ',', '')) <= 65536 and octet_length(mac) <= 1000) not valid;
alter table webhook_secret add constraint webhook_secret_sizes check (octet_length(sealed) <= 65536
  and octet_length(public_key) <= 4096 and octet_length(mac) <= 1000) not valid;

-- migration 20261129234000_events_at_upgrade
-- What an event tells, in one digest. Instants are numbers: text would follow the session's time zone.
create function digest_event(webhook_event) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array($1.id, $1.request_id, $1.type, $1.message, $1.code, $1.days_left,
    extract(epoch from $1.occurred_at))::text, 'UTF8'))
$$;
-- Events of the release before that have no MAC, as they were at the upgrade. The service's role may only read them.
create table event_at_upgrade (
  event_id uuid primary key,
  digest bytea not null
);
insert into event_at_upgrade (event_id, digest)
select id, digest_event(webhook_event) from webhook_event where mac is null;

-- migration 20261129235000_retention_in_step
-- Other services pass over an order with a lower version than they have seen: set far ahead and back, it would keep every later
-- legal hold and erasure from them.
create function keep_retention_version() returns trigger language plpgsql as $$
begin
  if (select pg_catalog.pg_has_role(relowner, 'usage') from pg_catalog.pg_class where oid = tg_relid) then
    return new;
  end if;
  raise exception 'the retention of a % moves forward step by step', tg_table_name;
end $$;
create trigger request_retention_in_step before update of retention_version on request for each row
  when (new.retention_version <> old.retention_version and new.retention_version <> old.retention_version + 1)
  execute function keep_retention_version();

-- migration 20261130002500_fence_of_request_in_step
-- Steps raise it for many requests in one statement: one that is at its end would keep all of them.
create trigger request_fence_in_step before update of fence on request for each row
  when (new.fence > old.fence + 1) execute function keep_fence_in_step();

-- migration 20261130041500_marks_of_a_new_key
-- Within one version the MAC alone changes, when the key that makes it does: otherwise the marks would end with their key.
drop trigger operator_factor_mark_moves_forward on operator_factor_mark;
create trigger operator_factor_mark_moves_forward before update or delete on operator_factor_mark
  for each row execute function keep_row_whole();
drop function keep_factor_mark();

-- migration 20261130041600_timeline_of_a_new_key
-- An entry keeps its MAC until another key makes it.
create function keep_timeline_mac() returns trigger language plpgsql as $$
begin
  if old.mac is null or new.mac is null or split_part(new.mac, '.', 1) = split_part(old.mac, '.', 1) then
    raise exception 'rows of % keep their MAC', tg_table_name;
  end if;
  return new;
end $$;
create trigger timeline_mac_moves_forward before update of mac on timeline
  for each row when (new.mac is distinct from old.mac) execute function keep_timeline_mac();

-- migration 20261130050300_bounds_of_rows
-- Bounds of everything that the service's role writes.
select bound_rows('api_token');
select bound_rows('claim_code');
select bound_rows('claim_link');
select bound_rows('claim_reminder');
select bound_rows('claim_right');
select bound_rows('evidence', '{"content": 67108864}');
select bound_rows('evidence_fault');
select bound_rows('evidence_link');
select bound_rows('evidence_lock');
select bound_rows('evidence_move');
select bound_rows('evidence_scrub');
select bound_rows('identity_attempt');
select bound_rows('liveness_session');
select bound_rows('message');
select bound_rows('operator');
select bound_rows('operator_challenge');
select bound_rows('operator_code_tally');
select bound_rows('operator_factor', '{"counter": 4294967295}');
select bound_rows('operator_factor_mark');
select bound_rows('operator_identity');
select bound_rows('operator_invitation');
select bound_rows('operator_letter');
select bound_rows('operator_recovery_code');
select bound_rows('operator_session');
select bound_rows('partner');
select bound_rows('partner_key');
select bound_rows('partner_logo', '{"base64": 131072}');
-- The parts of a quota that was lowered may be below zero.
select bound_rows('quota_use', '{"most": [-1000000000, 1000000000], "used": [-1000000000, 1000000000]}');
select bound_rows('reminder_pace');
select bound_rows('renewal_link');
select bound_rows('request', '{"details": 262144, "observations": 65536, "error_message": 65536,
  "advanced_days": 100000, "certificate_advanced_days": 100000, "next_reminder_at": "infinity", "supersede_due_at": "infinity"}');
select bound_rows('request_day');
select bound_rows('request_day_computed');
select bound_rows('request_word');
select bound_rows('retention_order');
select bound_rows('review_approval');
select bound_rows('review_presence');
select bound_rows('sandbox_attempt');
select bound_rows('sign_in_attempt');
select bound_rows('terms_acceptance');
select bound_rows('timeline');
select bound_rows('used_assertion');
select bound_rows('used_openid_flow');
select bound_rows('webhook_event', '{"message": 262144, "days_left": [-100000, 100000]}');
select bound_rows('webhook_secret');
select step_rows('operator', 'version', 'gen');
select step_rows('partner', 'version', 'gen');
select step_rows('operator_session', 'version');
select step_rows('request', 'fence', 'version', 'publish_count', 'attempts', 'retention_version', 'resend_count', 'own_resend_count',
  'validation_attempt', 'generation_attempt');
select step_rows('evidence_lock', 'fence', 'asked');
select step_rows('evidence_move', 'fence');
select step_rows('evidence_scrub', 'fence');
select step_rows('retention_order', 'fence');
select step_rows('webhook_event', 'attempts');
select step_rows('sign_in_attempt', 'count');
select step_rows('api_token', 'version');
select step_rows('claim_code', 'version');
select step_rows('claim_right', 'version');
select step_rows('operator_code_tally', 'version');
select step_rows('operator_factor', 'version');
select step_rows('operator_factor_mark', 'version');
select step_rows('operator_identity', 'version');
select step_rows('operator_invitation', 'version');
select step_rows('operator_letter', 'version');
select step_rows('operator_recovery_code', 'version');
select step_rows('partner_key', 'version');
select step_rows('review_approval', 'version');
select step_rows('webhook_secret', 'version');
