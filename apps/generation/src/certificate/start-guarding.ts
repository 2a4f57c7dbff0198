import { type Database, type EntryMac, statement } from '@rubrica/database';
import { guardedFromAction } from './status-proof.ts';

const entry = {
  action: guardedFromAction,
  actor: 'service:generation',
  detail: '{"target": "certificates"}',
};

const start = statement<EntryMac>({
  name: 'start-guarding',
  sql: `
insert into audit_entry (action, actor, detail, entry_id, mac)
select '${entry.action}', '${entry.actor}', '${entry.detail}', :entryId::uuid, :entryMac
where not exists (select from audit_entry where action = '${guardedFromAction}')`,
});

/**
 * Writes the entry of the audit log from which on a release from hold needs a MAC. Written once, at the first start of a release that makes
 * them; of two copies that start together the earlier entry counts.
 */
export async function startGuarding(database: Pick<Database, 'statement' | 'entries'>): Promise<void> {
  await start.run(database, database.entries.protect(entry));
}
