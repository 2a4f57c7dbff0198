import type { Database } from '@rubrica/database/connection';
import type { EntryMac } from '@rubrica/database/entries';
import { statement } from '@rubrica/database/statement';
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
 * Writes the audit entry after which a release from hold needs a MAC. It is written once, at the first start of a
 * release that creates MACs. If two copies start together, the earlier entry counts.
 */
export async function startGuarding(database: Pick<Database, 'statement' | 'entries'>): Promise<void> {
  await start.run(database, database.entries.protect(entry));
}
