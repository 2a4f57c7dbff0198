/**
 * What is left of a request without its personal data: what keeps its reference from being used twice, what became
 * of it and when, and which certificate was made.
 */
export const erasedColumns: Readonly<Record<string, string>> = {
  identification_number: `''`,
  callback_url: 'null',
  details: `'{}'`,
  error_message: 'null',
  error_text: 'null',
  observations: `'[]'`,
  sealed_password: 'null',
  // Without its key the evidence is noise, wherever copies of it may still lie.
  evidence_key: 'null',
  claim_token_sha256: 'null',
  claim_link_mac: 'null',
  retrieval_until: 'null',
  // Nothing is decided on it any more.
  password_sha256: 'null',
  evidence_sha256: 'null',
  decision: 'null',
  data_mac: 'null',
};

/** Of an issued request, at once: what nobody needs as proof. */
export const secretColumns: Readonly<Record<string, string>> = {
  sealed_password: 'null',
  claim_token_sha256: 'null',
  claim_link_mac: 'null',
  retrieval_until: 'null',
};

/** A message is a bearer of an address and, sealed, of a link or a code; that it was sent is no secret. */
const emptiedMessages = `update message set recipient = '', sealed_secret = null from erased
  where message.request_id = erased.id`;

/**
 * What becomes of the rows of each table that belong to requests, as SQL that reads `erased.id`. A table with a
 * `request_id` is here or among `impersonalTables`: a test asks the database for them.
 */
export const personalTables: Readonly<Record<string, string>> = {
  request_word: 'delete from request_word using erased where request_word.request_id = erased.id',
  evidence: 'delete from evidence using erased where evidence.request_id = erased.id',
  message: emptiedMessages,
  webhook_event:
    'update webhook_event set message = null from erased where webhook_event.request_id = erased.id',
  terms_acceptance: 'delete from terms_acceptance using erased where terms_acceptance.request_id = erased.id',
  claim_code: 'delete from claim_code using erased where claim_code.request_id = erased.id',
  claim_link: 'delete from claim_link using erased where claim_link.request_id = erased.id',
  claim_right: 'delete from claim_right using erased where claim_right.request_id = erased.id',
  renewal_link:
    'delete from renewal_link using erased where erased.id in (renewal_link.request_id, renewal_id)',
  claim_reminder: 'delete from claim_reminder using erased where claim_reminder.request_id = erased.id',
  // Who approved stays, as in the audit log; a comment is free text.
  review_approval:
    'update review_approval set comment = null from erased where review_approval.request_id = erased.id',
  evidence_link: 'delete from evidence_link using erased where evidence_link.request_id = erased.id',
  identity_attempt: 'delete from identity_attempt using erased where identity_attempt.request_id = erased.id',
  liveness_session: 'delete from liveness_session using erased where liveness_session.request_id = erased.id',
  // A reason is free text of a partner or an operator.
  timeline: 'update timeline set reason = null from erased where timeline.request_id = erased.id',
};

/** The same for `secretColumns`. */
export const secretTables: Readonly<Record<string, string>> = {
  message: emptiedMessages,
  claim_code: 'delete from claim_code using erased where claim_code.request_id = erased.id',
  claim_right: 'delete from claim_right using erased where claim_right.request_id = erased.id',
  renewal_link:
    'delete from renewal_link using erased where erased.id in (renewal_link.request_id, renewal_id)',
};

/** Ids, instants, counts and digests from which nothing of a person can be read: random ids are part of each digest. */
export const impersonalTables: readonly string[] = [
  'sandbox_attempt',
  'retention_order',
  'review_presence',
  'request_at_upgrade',
  'link_at_upgrade',
];
