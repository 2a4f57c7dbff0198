import type { Message } from '@rubrica/contracts/messages/messages';
import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { emitting, type OutboxEvent, type OutboxParams, outboxParams } from '@rubrica/database/outbox';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import type { EntryStatus } from '../certificate/audited-status.ts';
import { makeEntryMac, makeStatusMac, type StatusRecord } from '../certificate/status-record.ts';
import { makeAnswerMac } from '../ocsp/ocsp-ledger.ts';
import type { SignedAnswer } from '../ocsp/signed-answer.ts';

export interface RecordedChange {
  /** Certificate after the change. */
  readonly record: StatusRecord;
  /** Version of the row at the decision. */
  readonly storedVersion: number;
  /** MAC of that row, which proves the record. */
  readonly storedMac: string | null;
  /** True if the owner is proven; otherwise, the row gets no MAC, which would vouch for the owner. */
  readonly isOwnerProven: boolean;
  readonly audit: {
    readonly action: string;
    readonly actor: string;
    /** Attempt of the certificate's request. */
    readonly attempt: number;
    readonly detail: object;
  };
  /** New OCSP answer; absent where it is signed at the next request. */
  readonly answer: SignedAnswer | undefined;
}

/** Records of status changes. */
export interface StatusLedger {
  /**
   * Stores status, audit row, OCSP answer, the need of a new CRL and the event for intake in one statement, all or
   * nothing.
   * @param target enclosing transaction; its own by default
   * @returns false, with nothing written, when the row has changed since the decision
   */
  record(change: RecordedChange, target?: StatementTarget): Promise<boolean>;
}

type Params = Omit<StatusRecord, 'id' | 'notAfter'> & {
  readonly certificateId: string;
  readonly storedVersion: number;
  readonly storedMac: string | null;
  /** Null where it is written without the key, and proven by the audit log. */
  readonly mac: string | null;
  readonly attempt: number;
  /** Null where the schema's owner writes it, without the key. */
  readonly entryId: string | null;
  readonly entryMac: string | null;
} & Record<'action' | 'actor' | 'detail', string> &
  OutboxParams & {
    readonly [Name in keyof StoredAnswer]: StoredAnswer[Name] | null;
  };
type StoredAnswer = SignedAnswer & { readonly answerMac: string | null };

const noAnswer = { hashAlgorithm: null, der: null, thisUpdate: null, nextUpdate: null, answerMac: null };

// All values come from the record: a statement that waits for a row sees it as it is then, whatever changed it. An
// answer of an earlier version need not be deleted: it is not served. The change takes the complete list's number of
// changes. Only the transaction that locks that row writes the next number, so a delta finds all changes that a
// complete list lacks. The complete list is locked before the shard's, so that two changes queue instead of
// deadlocking.
const changeStatus = statement<Params>({
  name: 'change-status',
  emits: true,
  sql: `
with changed as (
  update certificate set revoked_at = :revokedAt, revocation_reason = :revocationReason, held_at = :heldAt,
    status_version = :statusVersion, partner_id = :partnerId, mac = :mac
  where id = :certificateId and status_version = :storedVersion and serial = :serial and request_id = :requestId
    and mac is not distinct from :storedMac
  returning 1
), wanted as (
  insert into crl (issuer, shard, changes)
  select distinct :issuer, shard, 1 from changed cross join unnest(array[0, :crlShard::integer]) as shard order by shard
  on conflict (issuer, shard) do update set changes = crl.changes + 1
  returning issuer, shard, changes
), audited as (
  insert into audit_entry (action, actor, request_id, attempt, serial, detail, entry_id, mac, by_owner)
  select :action, :actor, :requestId, :attempt::integer, :serial, :detail::jsonb || jsonb_build_object('change', wanted.changes),
    :entryId::uuid, :entryMac, :entryMac::text is null
  from changed cross join wanted where wanted.shard = 0
), noted as (
  insert into status_change (certificate_id, issuer, number)
  select :certificateId, wanted.issuer, wanted.changes from changed cross join wanted where wanted.shard = 0
  on conflict (certificate_id) do update set number = excluded.number, at = excluded.at
), answered as (
  insert into ocsp_answer (certificate_id, hash_algorithm, status_version, der, this_update, next_update, mac)
  select :certificateId, :hashAlgorithm, :statusVersion, :der, :thisUpdate, :nextUpdate, :answerMac
  from changed where :hashAlgorithm::text is not null
  on conflict (certificate_id, hash_algorithm) do update set status_version = excluded.status_version,
    der = excluded.der, this_update = excluded.this_update, next_update = excluded.next_update, mac = excluded.mac
)
${emitting({ from: 'changed', gives: '1 as done' })}`,
});

/**
 * Creates the ledger.
 * @param rows undefined without the key: then the audit entry, marked as the owner's, proves the change
 */
export function createStatusLedger(
  database: Pick<Database, 'statement' | 'entries'>,
  rows: Pick<RowGuard, 'protect'> | undefined,
): StatusLedger {
  const answerParams = ({ id, statusVersion }: StatusRecord, answer: SignedAnswer) => ({
    ...answer,
    der: Buffer.from(answer.der),
    answerMac: rows ? makeAnswerMac(rows, { id, statusVersion, answer }) : null,
  });
  return {
    async record(change, target = database) {
      const { record, storedVersion, storedMac, audit, answer } = change;
      const { id: certificateId, requestId, serial, issuer, crlShard } = record;
      const { statusVersion, revokedAt, revocationReason, heldAt } = record;
      const { action, actor, attempt } = audit;
      const status = rows && { status: toEntryStatus(record, makeEntryMac(rows, action, record)) };
      const detail = JSON.stringify({ ...audit.detail, ...status });
      const entry = { action, actor, request_id: requestId, attempt, serial, detail };
      const proof = rows ? database.entries.protect(entry) : { entryId: null, entryMac: null };
      const written = await changeStatus.run(target, {
        ...{ certificateId, requestId, serial, issuer, crlShard, storedVersion, storedMac },
        ...{ statusVersion, revokedAt, revocationReason, heldAt },
        partnerId: record.partnerId,
        mac: rows && change.isOwnerProven ? makeStatusMac(rows, record) : null,
        ...{ action, actor, attempt, detail },
        ...proof,
        ...(answer ? answerParams(record, answer) : noAnswer),
        ...outboxParams(createStatusEvent(record, proof.entryId)),
      });
      return written.length > 0;
    },
  };
}

/** Converts a record to the form that `foldStatus` reads. */
function toEntryStatus(record: StatusRecord, mac: string): EntryStatus {
  const { id, statusVersion: version, issuer, crlShard, revokedAt, heldAt } = record;
  return {
    ...{ id, version, issuer, crlShard, mac },
    revokedAt: revokedAt?.toISOString() ?? null,
    heldAt: heldAt?.toISOString() ?? null,
  };
}

/**
 * Creates the event of a change.
 * @param entryId random part of the message id: a predictable id could be inserted in advance, and the change would
 * fail
 */
function createStatusEvent(record: StatusRecord, entryId: string | null): OutboxEvent {
  const { id, requestId, statusVersion: version, revokedAt, revocationReason, heldAt } = record;
  const held = { status: 'HELD', reason: 'certificateHold', at: heldAt } as const;
  const lasting = revokedAt
    ? ({ status: 'REVOKED', reason: revocationReason ?? 'unspecified', at: revokedAt } as const)
    : ({ status: 'VALID', reason: null, at: null } as const);
  const { status, reason, at } = heldAt && !revokedAt ? held : lasting;
  const payload: Message<'events.certificate.status'> = {
    ...{ requestId, version, status, reason },
    at: at?.toISOString() ?? null,
  };
  return {
    subject: 'events.certificate.status',
    id: `status-${id}-${version}-${entryId ?? 'owner'}`,
    payload,
  };
}
