import { statement } from '../statement/statement.ts';

/** A change that waits for a second administrator. */
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

/** As it is kept; instants are text, as SQL gives them. */
export interface ApprovalRow extends ProposedChange {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

interface NewRow extends Omit<ProposedChange, 'input' | 'before' | 'after'> {
  readonly id: string;
  readonly input: string;
  readonly before: string | null;
  readonly after: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const columns = `id, procedure, input, before, after, digest, proposed_by as "proposedBy",
  proposer_email as "proposerEmail", reason, created_at as "createdAt", expires_at as "expiresAt"`;

interface Named {
  readonly id: string;
  readonly now: Date;
}

/** What operators' changes that wait are asked and told by. */
export const approvalRows = {
  /** The one of before where the same is proposed again. A row more than `most` is none: the answer is empty. */
  add: statement<NewRow & { readonly most: number }, { readonly id: string }>({
    name: 'add-approval',
    sql: `
insert into approval (id, procedure, input, before, after, digest, proposed_by, proposer_email, reason, created_at, expires_at)
select :id, :procedure, :input::jsonb, :before::jsonb, :after::jsonb, :digest, :proposedBy, :proposerEmail, :reason,
  :createdAt, :expiresAt
where (select count(*) from approval) < :most::int
on conflict (digest) do update set digest = excluded.digest returning id`,
  }),

  /** What nobody has decided in time is over, and so is what it said of anybody. */
  forgetExpired: statement<{ readonly now: Date }>({
    name: 'forget-expired-approvals',
    sql: `delete from approval where id in (
      select id from approval where expires_at <= :now order by expires_at limit 500 for update skip locked
    ) returning 1`,
  }),

  get: statement<Named, ApprovalRow>({
    name: 'get-approval',
    sql: `select ${columns} from approval where id = :id and expires_at > :now`,
  }),

  /** Of two who decide at once the second removes nothing any more: no row. */
  remove: statement<{ readonly id: string }>({
    name: 'remove-approval',
    sql: 'delete from approval where id = :id returning 1',
  }),

  /** Newest first: ids are UUID v7. */
  list: statement<
    { readonly before: string | null; readonly now: Date; readonly limit: number },
    ApprovalRow
  >({
    name: 'list-approvals',
    sql: `select ${columns} from approval
      where expires_at > :now and (:before::uuid is null or id < :before::uuid) order by id desc limit :limit`,
  }),
} as const;
