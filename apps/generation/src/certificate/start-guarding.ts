import { type Database, statement } from '@rubrica/database';
import { guardedFromAction } from './status-proof.ts';

const start = statement<Record<never, never>>({
  name: 'start-guarding',
  sql: `
insert into audit_entry (action, actor, detail)
select '${guardedFromAction}', 'service:generation', '{"target": "certificates"}'
where not exists (select from audit_entry where action = '${guardedFromAction}')`,
});

/**
 * Writes the entry of the audit log from which on a release from hold needs a MAC. Written once, at the first start of a release that makes
 * them; of two copies that start together the earlier entry counts.
 */
export async function startGuarding(database: Pick<Database, 'statement'>): Promise<void> {
  await start.run(database, {});
}
