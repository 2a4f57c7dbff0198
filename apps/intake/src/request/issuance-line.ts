import { statement } from '@rubrica/database';

/** Line in which the certificate of a request waits: `jobs.certificate`, or `jobs.certificate-backlog` behind it. */
export type IssuanceLine = 'first' | 'backlog';

/**
 * Requests of one partner that may wait in the line for all: what it sends beyond that must not stand before the
 * certificates of others. Some seconds' work for one copy of generation.
 */
const mostInFirstLine = 32;

const countGenerating = statement<{ partnerId: string }, { generating: number }>({
  name: 'count-generating',
  sql: `select count(*)::integer as generating from (
    select from request where partner_id = :partnerId and status = 'GENERATING' limit ${mostInFirstLine}
  ) as counted`,
});

/** Bound statement that tells in which line the partner's next certificate waits; `lineOf` reads its answer. */
export function askIssuanceLine(partnerId: string) {
  return countGenerating.bind({ partnerId });
}

export function lineOf(rows: readonly { readonly generating: number }[]): IssuanceLine {
  return (rows[0]?.generating ?? 0) < mostInFirstLine ? 'first' : 'backlog';
}
