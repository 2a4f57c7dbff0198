import { digestApproval } from '@rubrica/contracts/shared/approval-challenge';

type JsonObject = Readonly<Record<string, unknown>>;

/** Change that waits for a second administrator, in its JSON form. */
export interface ProposedChange {
  readonly procedure: string;
  readonly input: JsonObject;
  /** Record that the change was proposed for, with its version. */
  readonly before: JsonObject | null;
  readonly after: JsonObject;
  /** SHA-256 (hex) of procedure, input and record, which the approver's passkey signs. */
  readonly digest: string;
  readonly proposedBy: string;
  readonly proposerEmail: string;
  readonly reason: string | null;
}

type BoundChange = Pick<ProposedChange, 'procedure' | 'input' | 'before'>;

/** Binds a change to the record that it is about. */
export async function bindChange(change: {
  readonly procedure: string;
  readonly input: object;
  readonly before: object | null;
}): Promise<BoundChange & Pick<ProposedChange, 'after' | 'digest'>> {
  const bound = toJson(change) as BoundChange;
  return { ...bound, after: applyChange(bound), digest: await computeDigest(bound) };
}

/** Tells whether the row still holds what its proposer has proposed. */
export async function isIntact(row: ProposedChange): Promise<boolean> {
  return (await computeDigest(row)) === row.digest;
}

/** Tells whether the record is still the one that the change was proposed for. */
export async function matchesRecord(row: ProposedChange, before: object | null): Promise<boolean> {
  return (await computeDigest({ ...row, before: toJson(before) as JsonObject | null })) === row.digest;
}

function computeDigest({ procedure, input, before }: BoundChange): Promise<string> {
  return digestApproval({ change: { procedure, input }, before });
}

function applyChange({ input, before }: Pick<ProposedChange, 'input' | 'before'>): JsonObject {
  const { reason: _, ...settings } = input;
  return { ...before, ...settings };
}

function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
