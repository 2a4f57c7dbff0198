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
