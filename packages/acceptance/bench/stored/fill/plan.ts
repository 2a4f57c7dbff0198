import { namesSql, searchName } from './names.ts';

/**
 * Plan of each request of the filling, decided once in a separate table from which all services' rows are created.
 * Requests are spread evenly over three years. A fifth of the partners has four fifths of them, and one family is never
 * used. Unfinished requests are from the last fifty days. Instants are in milliseconds, as the services write them.
 */
export const preparePlan = `
create schema if not exists bench_fill;
create table if not exists bench_fill.plan (
  n bigint primary key, id uuid, partner_id uuid, created_at timestamptz, ended_at timestamptz, family text, status text,
  validation_status text, is_old boolean, certificate_id uuid, serial text, not_after timestamptz, event_id uuid,
  has_claim boolean, given text, surname text, second_surname text, search_name text
);
create table if not exists bench_fill.noise (n integer primary key, bytes bytea, text text);
create or replace function bench_fill.v7(at timestamptz, kind text, n bigint) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(hash, 1, 3) || '8'
    || substr(hash, 4, 15))::uuid from (select md5(kind || n) as hash) as one
$$;
insert into bench_fill.noise
select n, decode(string_agg(md5(n || ' ' || i), ''), 'hex'), string_agg(md5(n || '.' || i), '')
from generate_series(0, 999) as n cross join generate_series(1, 94) as i group by n
on conflict do nothing`;

/** Part of `noise` with the size of a certificate and a sealed key, 1,495 and 465 octets; none of it compresses. */
export const certificateBytes = 'substr(bytes, 1, 1495)';
export const sealedText = "'eyJhbGciOiJub25lIn0.' || substr(text, 1, 384) || '.' || substr(text, 385, 60)";

const names = namesSql((kind) => `share('${kind}', n)`);

/** Parameters: first and last number of the batch, total number, ids of the partners. */
export const insertPlan = `
insert into bench_fill.plan
select n, bench_fill.v7(created_at, 'request', n), ($4::uuid[])[1 + floor(cardinality($4::uuid[]) * partner_share ^ 3)::int],
  created_at, created_at + interval '4 seconds', family, status,
  case status when 'REFUSED' then 'REFUSED' when 'CANCELLED' then 'PENDING' when 'ERROR' then 'ERROR'
    when 'VALIDATING' then 'MANUALLY_VALIDATING' else 'COMPLETED' end,
  created_at < now() - interval '40 days',
  case when status = 'GENERATED' then bench_fill.v7(created_at, 'certificate', n) end,
  case when status = 'GENERATED' then '5' || upper(substr(md5('serial' || n) || md5('number' || n), 1, 39)) end,
  case when status = 'GENERATED' then created_at + make_interval(years => 1 + (n % 4)::int) end,
  case when status in ('GENERATED', 'REFUSED', 'ERROR') then bench_fill.v7(created_at, 'event', n) end,
  n % 5 = 0, given, surname, second_surname, ${searchName(['given', 'surname', 'second_surname'])}
from (
  select *, case
      when family_share < 0.6 then 'TV' when family_share < 0.8 then 'FR' when family_share < 0.95 then 'FT' else 'FS' end as family,
    case when status_share < 0.9 then 'GENERATED' when status_share < 0.94 then 'REFUSED'
      when status_share < 0.97 then 'CANCELLED' when status_share < 0.985 or created_at < now() - interval '45 days' then 'EXPIRED'
      when status_share < 0.993 then 'APPROVED' when status_share < 0.998 then 'ERROR' else 'VALIDATING' end as status
  from (
    select n, date_trunc('milliseconds', now() - interval '2 hours' - interval '3 years' * (($3::float8 - n) / $3::float8)) as created_at,
      share('partner', n) as partner_share, share('family', n) as family_share, share('status', n) as status_share,
      ${names.given} as given, ${names.surname} as surname, ${names.secondSurname} as second_surname
    from generate_series($1::bigint, $2::bigint) as n
  ) as drawn
) as decided`.replaceAll(
  /share\('(\w+)', n\)/g,
  (_, kind) => `(('x' || substr(md5('${kind}' || n), 1, 7))::bit(28)::int / 268435456.0)`,
);

export const dropPlan = 'drop schema if exists bench_fill cascade';
