import { type Database, type EntryMac, statement } from '@rubrica/database';
import type { ReadingOfApplicants } from '@rubrica/wiring';
import { readingEntry } from '@rubrica/wiring/audit';

/** Without a serial number: it is no decision on the certificate, and not a part of its history. */
const insert = statement<
  Record<'action' | 'actor' | 'detail', string> & EntryMac & { requestId: string | null }
>({
  name: 'note-reading',
  sql: `insert into audit_entry (action, actor, request_id, detail, entry_id, mac)
    values (:action, :actor, :requestId, :detail::jsonb, :entryId, :entryMac)`,
});

/** Writes down which operator read of which subscribers. */
export function createNoteReading({
  database,
}: {
  readonly database: Pick<Database, 'statement' | 'entries'>;
}) {
  return async (reading: ReadingOfApplicants): Promise<void> => {
    const { actor, action, target, details } = readingEntry(reading);
    const isOfOne = target.startsWith('request:');
    const detail = JSON.stringify(isOfOne ? details : { ...details, target });
    const [requestId = null] = isOfOne ? reading.requestIds : [];
    const mac = database.entries.protect({ action, actor, request_id: requestId, detail });
    await insert.run(database, { action, actor, detail, requestId, ...mac });
  };
}
