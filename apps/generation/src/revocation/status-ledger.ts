import type { Message } from '@rubrica/contracts/messages/messages';
import {
  type Database,
  emitting,
  type OutboxEvent,
  type OutboxParams,
  outboxParams,
  type RowGuard,
  type StatementTarget,
  statement,
} from '@rubrica/database';
import type { EntryStatus } from '../certificate/audited-status.ts';
import { makeEntryMac, makeStatusMac, type StatusRecord } from '../certificate/status-record.ts';
import { makeAnswerMac } from '../ocsp/ocsp-ledger.ts';
import type { SignedAnswer } from '../ocsp/signed-answer.ts';

export interface RecordedChange {
  /** Certificate after the change. */
  readonly record: StatusRecord;
  /** Version of the row that the decision was made on. */
  readonly storedVersion: number;
  /** MAC of that row; the record is what it proves. */
  readonly storedMac: string | null;
  /** Else the row gets no MAC: it would be the service's word on whose the certificate is. */
  readonly isOwnerProven: boolean;
  readonly audit: {
    readonly action: string;
    readonly actor: string;
    /** Attempt of the certificate's request. */
    readonly attempt: number;
    readonly detail: object;
  };
  /** What OCSP answers from now on; absent: signed at the next question. */
  readonly answer: SignedAnswer | undefined;
}

/** What is written down of changes of status. */
export interface StatusLedger {
  /**
   * Status, audit row, OCSP answer, the need of a new CRL and the event that tells intake, all or nothing, in one
   * statement.
   * @param target a transaction that it belongs to; else it is one by itself
   * @returns false, with nothing written, when the row is no longer the one that the decision was made on
   */
  record(change: RecordedChange, target?: StatementTarget): Promise<boolean>;
}

type Params = Omit<StatusRecord, 'id' | 'notAfter'> & {
  readonly certificateId: string;
  readonly storedVersion: number;
  readonly storedMac: string | null;
  /** Null: written without the key, and proven by the audit log. */
  readonly mac: string | null;
  readonly attempt: number;
  /** Null: written without the key, by the schema's owner. */
  readonly entryId: string | null;
  readonly entryMac: string | null;
} & Record<'action' | 'actor' | 'detail', string> &
  OutboxParams & {
    readonly [Name in keyof StoredAnswer]: StoredAnswer[Name] | null;
  };
type StoredAnswer = SignedAnswer & { readonly answerMac: string | null };

const noAnswer = { hashAlgorithm: null, der: null, thisUpdate: null, nextUpdate: null, answerMac: null };

// All that is written down is of the record: whoever waits for a row reads it as it is then, whoever has changed it meanwhile.
// An answer about an earlier version need not be removed: nobody serves one whose version is not the certificate's.
// The change has the complete list's number of changes: who has locked that row is the only one to write the next, so a delta
// finds all changes that a complete list does not know.
// The complete list and the certificate's own, which are one where there are no shards; always in this order, so that two
// changes wait for each other and do not lock each other out.
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

/** @param rows undefined where the key is not at hand: then the audit entry proves the change, as one of the schema's owner */
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
      const status = rows && { status: statedStatus(record, makeEntryMac(rows, action, record)) };
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
        ...outboxParams(statusEvent(record, proof.entryId)),
      });
      return written.length > 0;
    },
  };
}

/** Converts a record to the form that `foldStatus` reads. */
function statedStatus(record: StatusRecord, mac: string): EntryStatus {
  const { id, statusVersion: version, issuer, crlShard, revokedAt, heldAt } = record;
  return {
    ...{ id, version, issuer, crlShard, mac },
    revokedAt: revokedAt?.toISOString() ?? null,
    heldAt: heldAt?.toISOString() ?? null,
  };
}

/**
 * The event of a change.
 * @param entryId random part of its id: one that can be guessed could be taken in the table beforehand, and the change would fail
 */
function statusEvent(record: StatusRecord, entryId: string | null): OutboxEvent {
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
