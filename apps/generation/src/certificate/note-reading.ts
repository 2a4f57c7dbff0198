import { type ReadingOfApplicants, readingEntry } from '@rubrica/audit/log';
import type { Database } from '@rubrica/database/connection';
import type { EntryMac } from '@rubrica/database/entries';
import { statement } from '@rubrica/database/statement';

/** Stored without a serial number: a reading is not a decision and not part of the certificate's history. */
const insert = statement<
  Record<'action' | 'actor' | 'detail', string> & EntryMac & { requestId: string | null }
>({
  name: 'note-reading',
  sql: `insert into audit_entry (action, actor, request_id, detail, entry_id, mac)
    values (:action, :actor, :requestId, :detail::jsonb, :entryId, :entryMac)`,
});

/** Records which subscribers' data an operator read. */
export function createNoteReading({
  database,
}: {
  readonly database: Pick<Database, 'statement' | 'entries'>;
}) {
  return async (reading: ReadingOfApplicants): Promise<void> => {
    const { actor, action, target, details } = readingEntry(reading);
    const isSingle = target.startsWith('request:');
    const detail = JSON.stringify(isSingle ? details : { ...details, target });
    const [requestId = null] = isSingle ? reading.requestIds : [];
    const mac = database.entries.protect({ action, actor, request_id: requestId, detail });
    await insert.run(database, { action, actor, detail, requestId, ...mac });
  };
}
