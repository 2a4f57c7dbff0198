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
