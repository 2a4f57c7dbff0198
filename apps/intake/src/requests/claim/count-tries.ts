import type { EntityManager } from '@mikro-orm/postgresql';
import { findEntryGuard, insertEntriesSql, protectEntry, statement } from '@rubrica/database';
import { type CodePurpose, codeRules } from './code-rules.ts';
import { type CodeGroup, tryCodeAction } from './sent-codes.ts';

interface CountedTries {
  readonly requestId: string;
  /** Codes with which the entered one is going to be compared. */
  readonly codeIds: readonly string[];
  readonly purpose: CodePurpose;
  readonly group: CodeGroup;
  readonly now: Date;
}

/**
 * Counts a try of codes in a transaction that commits before they are compared. A try that is rolled back, or
 * whose session is ended, has compared nothing. The audit entry counts, because it depends on no row that can
 * be deleted or restored. A try is counted whether it is right or wrong: a right one is one of the five of
 * its code.
 */
const countStatement = statement<Pick<CountedTries, 'codeIds'> & { readonly entries: string }>({
  name: 'count-code-tries',
  // Copies of the previous release read the count of the row.
  sql: `
with counted as (
  update claim_code set wrong_tries = least(wrong_tries + 1, ${codeRules.tries}) where id = any(:codeIds::uuid[])
)
${insertEntriesSql({ entries: ':entries' })}`,
});

/** Counts one try of each of these codes. */
export async function countTries(
  em: EntityManager,
  { requestId, codeIds, purpose, group, now }: CountedTries,
): Promise<void> {
  const guard = findEntryGuard(em);
  const entries = codeIds.map((codeId) =>
    protectEntry(guard, {
      actor: 'service:intake',
      action: tryCodeAction,
      target: `request:${requestId}`,
      details: { codeId, purpose, group, at: now.toISOString() },
    }),
  );
  await countStatement.run(em, { codeIds, entries: JSON.stringify(entries) });
}
