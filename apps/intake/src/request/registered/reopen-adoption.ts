import { type SqlTarget, statement } from '@rubrica/database';

const reopen = statement<{ readonly hours: number }>({
  name: 'reopen-adoption',
  sql: `
update data_upgrade set ends_at = now() + make_interval(hours => :hours::integer),
  audit_sequence = coalesce((select max(chain_sequence) from audit), 0) returning 1`,
});

/**
 * Gives requests of the release before time to be taken over once more, as the owner of the schema. What the audit chain
 * holds by now counts as proof.
 */
export async function reopenAdoption(owner: SqlTarget, hours: number): Promise<void> {
  await reopen.run(owner, { hours });
}
