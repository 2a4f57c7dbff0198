/**
 * Columns that erasure clears. The rest of a request proves that its reference was used, what happened to it
 * and when, and which certificate was made.
 */
export const erasedColumns: Readonly<Record<string, string>> = {
  identification_number: `''`,
  callback_url: 'null',
  details: `'{}'`,
  error_message: 'null',
  error_text: 'null',
  observations: `'[]'`,
  sealed_password: 'null',
  // Without its key the evidence cannot be read, in whatever copies of it may still exist.
  evidence_key: 'null',
  claim_token_sha256: 'null',
  claim_link_mac: 'null',
  retrieval_until: 'null',
  // No decision is made on it any more.
  password_sha256: 'null',
  evidence_sha256: 'null',
  decision: 'null',
  data_mac: 'null',
};

/** Columns of an issued request that nobody needs as proof; cleared at once. */
export const secretColumns: Readonly<Record<string, string>> = {
  sealed_password: 'null',
  claim_token_sha256: 'null',
  claim_link_mac: 'null',
  retrieval_until: 'null',
};

/**
 * Empties messages. A message holds an address and, sealed, a link or a code; that it was sent is no secret.
 */
const emptyMessagesSql = `update message set recipient = '', sealed_secret = null from erased
  where message.request_id = erased.id`;

/**
 * SQL that erases the rows of each table that belong to requests; reads `erased.id`. A table with a
 * `request_id` is here or among `impersonalTables`: a test asks the database for them.
 */
export const personalTables: Readonly<Record<string, string>> = {
  request_word: 'delete from request_word using erased where request_word.request_id = erased.id',
  evidence: 'delete from evidence using erased where evidence.request_id = erased.id',
  message: emptyMessagesSql,
  webhook_event:
    'update webhook_event set message = null from erased where webhook_event.request_id = erased.id',
  terms_acceptance: 'delete from terms_acceptance using erased where terms_acceptance.request_id = erased.id',
  claim_code: 'delete from claim_code using erased where claim_code.request_id = erased.id',
  claim_link: 'delete from claim_link using erased where claim_link.request_id = erased.id',
  claim_right: 'delete from claim_right using erased where claim_right.request_id = erased.id',
  renewal_link:
    'delete from renewal_link using erased where erased.id in (renewal_link.request_id, renewal_id)',
  claim_reminder: 'delete from claim_reminder using erased where claim_reminder.request_id = erased.id',
  // The approver stays, as in the audit log; a comment is free text.
  review_approval:
    'update review_approval set comment = null from erased where review_approval.request_id = erased.id',
  evidence_link: 'delete from evidence_link using erased where evidence_link.request_id = erased.id',
  identity_attempt: 'delete from identity_attempt using erased where identity_attempt.request_id = erased.id',
  liveness_session: 'delete from liveness_session using erased where liveness_session.request_id = erased.id',
  // A reason is free text of a partner or an operator.
  timeline: 'update timeline set reason = null from erased where timeline.request_id = erased.id',
};

/** SQL for the rows that go with `secretColumns`, in the manner of `personalTables`. */
export const secretTables: Readonly<Record<string, string>> = {
  message: emptyMessagesSql,
  claim_code: 'delete from claim_code using erased where claim_code.request_id = erased.id',
  claim_right: 'delete from claim_right using erased where claim_right.request_id = erased.id',
  renewal_link:
    'delete from renewal_link using erased where erased.id in (renewal_link.request_id, renewal_id)',
};

/**
 * Tables of ids, instants, counts and digests that reveal nothing of a person: random ids are part of each
 * digest.
 */
export const impersonalTables: readonly string[] = [
  'sandbox_attempt',
  'retention_order',
  'review_presence',
  'request_at_upgrade',
  'link_at_upgrade',
];
