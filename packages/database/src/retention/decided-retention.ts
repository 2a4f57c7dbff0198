import type { ColumnMap } from '../statement/statement.ts';

/** Decision of intake about one request; `version` counts its decisions. */
interface DecidedRetention {
  readonly requestId: string;
  readonly version: number;
  /** The request is under legal hold. */
  readonly held: boolean;
  readonly erase: string;
  readonly fetchUntil?: string | null | undefined;
  /** Total days by the sandbox's clock. */
  readonly advancedDays: number;
}

/**
 * Common table expressions for the statement with which a service follows intake's decisions. `decided`: decisions that
 * no newer one has replaced, stored in the service's table `retention`. `erasing`: requests to erase now, none of them
 * under legal hold. `aged`: requests whose time limits end earlier by `age` from now on. Parameters:
 * `columnsOf(requests, decidedColumns)`.
 */
export const decidedRetentionSql = `
  decided as (
    select d.*, coalesce(r.advanced_days, 0) as known_days
    from unnest(:requestId::uuid[], :version::integer[], :held::boolean[], :erase::text[],
        :fetchUntil::timestamptz[], :advancedDays::integer[])
      as d (request_id, version, held, erase, fetch_until, advanced_days)
    left join retention r on r.request_id = d.request_id
    where r.version is null or r.version <= d.version
  ), noted as (
    insert into retention as r (request_id, version, held, advanced_days)
    select request_id, version, held, advanced_days from decided
    on conflict (request_id) do update
      set version = excluded.version, held = excluded.held, advanced_days = excluded.advanced_days
      where r.version < excluded.version
    returning request_id
  ), aged as (
    select request_id, held, fetch_until, make_interval(hours => 24 * (advanced_days - known_days)) as age
    from decided join noted using (request_id)
    where advanced_days > known_days and erase = 'NOTHING'
  ), erasing as (
    select request_id, erase from decided where erase <> 'NOTHING' and not held
  )`;

export const decidedColumns = [
  'requestId',
  'version',
  'held',
  'erase',
  'fetchUntil',
  'advancedDays',
] as const;

export type DecidedParams = ColumnMap<DecidedRetention, (typeof decidedColumns)[number]>;
