import { quoteIdentifier } from '../connection/identifiers.ts';
import { runnerOf, type SqlTarget } from '../connection/sql-runner.ts';
import { FenceLost } from './fence-lost.ts';

/** A held row. Carry it along: every later write needs the fence. */
export interface Claim<Row = Record<string, unknown>> {
  readonly key: string;
  readonly fence: number;
  /** Claims so far, this one included: work that keeps killing its worker shows here. */
  readonly attempts: number;
  /** The columns asked for. */
  readonly row: Row;
}

/** A claim's identity, as far as writing under it goes. */
export type Held = Pick<Claim, 'key' | 'fence'>;

export interface ClaimRequest {
  readonly leaseSeconds: number;
  /** SQL that must hold besides the lease being free, such as `state = 'PENDING'`. Never built from input. */
  readonly when?: string;
  /** Columns to give back in `row`. */
  readonly returning?: readonly string[];
}

export interface BatchRequest extends ClaimRequest {
  readonly limit: number;
  /** Which first: a column, ascending. Give it an index. */
  readonly orderBy: string;
}

export interface Claims {
  /** Claims one row, or gives undefined when it is held, absent, or `when` is false. */
  claim<Row>(sql: SqlTarget, request: ClaimRequest & { key: string }): Promise<Claim<Row> | undefined>;
  /** Claims up to `limit` free rows, stepping over those that another transaction is claiming. */
  claimBatch<Row>(sql: SqlTarget, request: BatchRequest): Promise<Claim<Row>[]>;
  /** Prolongs the lease, from now. @throws FenceLost */
  extend(sql: SqlTarget, held: Held, leaseSeconds: number): Promise<void>;
  /** Writes columns, and by default frees the row. @throws FenceLost, having written nothing. */
  write(sql: SqlTarget, held: Held, change: ClaimedChange): Promise<void>;
  /**
   * Locks the row until the transaction ends, so that everything else it writes (entities, outbox, other
   * tables) is under the fence too. Call it first. @throws FenceLost
   */
  hold(em: SqlTarget, held: Held): Promise<void>;
}

export interface ClaimedChange {
  readonly set: Readonly<Record<string, unknown>>;
  /** Keep the lease instead of freeing it. */
  readonly keepLease?: boolean;
}

const free = '(lease_until is null or lease_until < now())';

/**
 * Claims on the rows of a table with the columns of `claimColumnsSql`. A lease keeps others off while its
 * worker lives; the fence, raised by every claim, keeps off the worker that was thought dead and wakes up
 * late. Time is the database's: the clocks of the copies need not agree.
 */
export function claimsOn(options: { table: string; key?: string }): Claims {
  const names = { table: quoteIdentifier(options.table), key: quoteIdentifier(options.key ?? 'id') };
  const lease = 'lease_until = now() + make_interval(secs => $1::float8)';
  const claiming = `update ${names.table} set ${lease}, fence = fence + 1, attempts = attempts + 1`;

  const fenced = async (
    sql: SqlTarget,
    held: Held,
    statement: { text: string; params: readonly unknown[] },
  ) => {
    const rows = await runnerOf(sql).execute(statement.text, statement.params);
    if (rows.length === 0) throw new FenceLost({ table: options.table, ...held });
  };
  return {
    async claim<Row>(sql: SqlTarget, request: ClaimRequest & { key: string }) {
      const text = `${claiming} where ${names.key} = $2 and ${free} and ${when(request)} ${given(names, request)}`;
      const rows = await runnerOf(sql).execute<GivenRow>(text, [request.leaseSeconds, request.key]);
      return rows[0] && claimOf<Row>(rows[0]);
    },
    async claimBatch<Row>(sql: SqlTarget, request: BatchRequest) {
      const order = quoteIdentifier(request.orderBy);
      // Materialised: a plan that ran the inner query more than once would lock, and claim, more than asked.
      const text = `with chosen as materialized (
          select ${names.key} as chosen_key from ${names.table} where ${free} and ${when(request)}
          order by ${order} limit $2 for update skip locked
        ), claimed as (
          ${claiming} where ${names.key} in (select chosen_key from chosen)
          ${given(names, request)}, ${order} as claim_order
        )
        select claim_key, claim_fence, claim_attempts, claim_row from claimed order by claim_order`;
      const rows = await runnerOf(sql).execute<GivenRow>(text, [request.leaseSeconds, request.limit]);
      return rows.map((row) => claimOf<Row>(row));
    },
    async extend(sql, held, leaseSeconds) {
      const text = `update ${names.table} set ${lease} where ${names.key} = $2 and fence = $3 returning 1`;
      await fenced(sql, held, { text, params: [leaseSeconds, held.key, held.fence] });
    },
    async write(sql, held, { set, keepLease }) {
      const columns = Object.keys(set).map((name, index) => `${quoteIdentifier(name)} = $${index + 3}`);
      if (!keepLease) columns.push('lease_until = null');
      if (columns.length === 0) throw new TypeError('nothing to write');
      const text = `update ${names.table} set ${columns.join(', ')}
        where ${names.key} = $1 and fence = $2 returning 1`;
      await fenced(sql, held, { text, params: [held.key, held.fence, ...Object.values(set)] });
    },
    async hold(em, held) {
      const text = `select 1 from ${names.table} where ${names.key} = $1 and fence = $2 for no key update`;
      await fenced(em, held, { text, params: [held.key, held.fence] });
    },
  };
}

interface GivenRow {
  readonly claim_key: string;
  readonly claim_fence: number;
  readonly claim_attempts: number;
  readonly claim_row: unknown;
}

const when = (request: ClaimRequest) => (request.when === undefined ? 'true' : `(${request.when})`);

/** Columns asked for come as one JSON value, so that they cannot collide with the claim's own. */
function given(names: { key: string }, request: ClaimRequest): string {
  const pairs = (request.returning ?? []).map((name) => `'${name}', ${quoteIdentifier(name)}`);
  return `returning ${names.key}::text as claim_key, fence as claim_fence, attempts as claim_attempts,
    jsonb_build_object(${pairs.join(', ')}) as claim_row`;
}

function claimOf<Row>(row: GivenRow): Claim<Row> {
  return {
    key: row.claim_key,
    fence: row.claim_fence,
    attempts: row.claim_attempts,
    row: row.claim_row as Row,
  };
}
