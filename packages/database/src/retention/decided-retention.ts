import type { ColumnsOf } from '../statement/statement.ts';

/** What intake has decided about one request; `version` counts its decisions. */
interface DecidedRetention {
  readonly requestId: string;
  readonly version: number;
  /** Under legal hold. */
  readonly held: boolean;
  readonly erase: string;
  readonly fetchUntil?: string | null | undefined;
}

/**
 * Common table expressions for the statement with which a service follows intake's decisions: `decided` are those that
 * no newer decision has replaced, kept in the service's table `retention`, and `erasing` those to be erased now, which
 * nothing under legal hold is. Parameters: `columnsOf(requests, decidedColumns)`.
 */
export const decidedRetentionSql = `
  decided as (
    select d.* from unnest(:requestId::uuid[], :version::integer[], :held::boolean[], :erase::text[],
        :fetchUntil::timestamptz[]) as d (request_id, version, held, erase, fetch_until)
    where not exists (select from retention r where r.request_id = d.request_id and r.version > d.version)
  ), noted as (
    insert into retention as r (request_id, version, held) select request_id, version, held from decided
    on conflict (request_id) do update set version = excluded.version, held = excluded.held
      where r.version < excluded.version
  ), erasing as (
    select request_id, erase from decided where erase <> 'NOTHING' and not held
  )`;

export const decidedColumns = ['requestId', 'version', 'held', 'erase', 'fetchUntil'] as const;

export type DecidedParams = ColumnsOf<DecidedRetention, (typeof decidedColumns)[number]>;
