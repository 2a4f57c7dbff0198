import { guardedSqlTable } from '../guarded/guarded-table.ts';
import { statement } from '../statement/statement.ts';

/** Change that waits for a second administrator. */
export interface ProposedChange {
  readonly procedure: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>>;
  readonly digest: string;
  readonly proposedBy: string;
  readonly proposerEmail: string;
  readonly reason: string | null;
}

/** Stored form; instants are text, as SQL returns them. */
export interface ApprovalRow extends ProposedChange {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Stored form with the raw row, against which its MAC is checked. */
export interface StoredApproval extends ApprovalRow {
  readonly stored: Readonly<Record<string, unknown>>;
}

/** Table of waiting changes. Every field is guarded: access to the database alone cannot propose a change. */
export const approvalTable = guardedSqlTable('approval', [
  'procedure',
  'input',
  'before',
  'after',
  'digest',
  'proposedBy',
  'proposerEmail',
  'reason',
  'createdAt',
  'expiresAt',
]);

interface NewRow extends Omit<ProposedChange, 'input' | 'before' | 'after'> {
  readonly id: string;
  readonly input: string;
  readonly before: string | null;
  readonly after: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly version: number;
  readonly mac: string;
}

const columns = `id, procedure, input, before, after, digest, proposed_by as "proposedBy",
  proposer_email as "proposerEmail", reason, created_at as "createdAt", expires_at as "expiresAt",
  to_jsonb(approval) as stored`;

interface Now {
  readonly now: Date;
}

/** Statements on waiting changes. */
export const approvalRows = {
  /**
   * Inserts a change. The answer is empty if there are `most` changes, `mostOwn` of the same proposer, or the same
   * change waits already.
   */
  add: statement<NewRow & { readonly most: number; readonly mostOwn: number }>({
    name: 'add-approval',
    sql: `
insert into approval (id, procedure, input, before, after, digest, proposed_by, proposer_email, reason, created_at, expires_at,
  version, mac)
select :id, :procedure, :input::jsonb, :before::jsonb, :after::jsonb, :digest, :proposedBy, :proposerEmail, :reason,
  :createdAt, :expiresAt, :version, :mac
where (select count(*) from approval) < :most::int
  and (select count(*) from approval where proposed_by = :proposedBy) < :mostOwn::int
on conflict (digest) do nothing returning 1`,
  }),

  get: statement<Now & { readonly id: string }, StoredApproval>({
    name: 'get-approval',
    sql: `select ${columns} from approval where id = :id and expires_at > :now`,
  }),

  /** Finds the same change, whenever it was proposed. */
  same: statement<{ readonly digest: string }, StoredApproval>({
    name: 'same-approval',
    sql: `select ${columns} from approval where digest = :digest`,
  }),

  /** Removes a change. If two decide at once, the second gets no row. */
  remove: statement<{ readonly id: string }>({
    name: 'remove-approval',
    sql: 'delete from approval where id = :id returning 1',
  }),

  removeAll: statement<{ readonly ids: readonly string[] }>({
    name: 'remove-approvals',
    sql: 'delete from approval where id = any(:ids::uuid[])',
  }),

  /** Lists all changes, oldest first, including expired ones. */
  all: statement<{ readonly limit: number }, StoredApproval>({
    name: 'all-approvals',
    sql: `select ${columns} from approval order by id limit :limit`,
  }),

  /** Lists open changes, newest first: ids are UUID v7. */
  list: statement<Now & { readonly before: string | null; readonly limit: number }, StoredApproval>({
    name: 'list-approvals',
    sql: `select ${columns} from approval
      where expires_at > :now and (:before::uuid is null or id < :before::uuid) order by id desc limit :limit`,
  }),
} as const;
