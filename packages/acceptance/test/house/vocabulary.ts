/** One permitted term, or a few close ones, and the words that code once used for the same thing. */
export interface Term {
  readonly use: string;
  /** Meaning, in a few words. */
  readonly meaning: string;
  /** Parts of camelCase names that the term replaces. */
  readonly insteadOf: readonly string[];
}

/**
 * Vocabulary of the code. A name says what the field's standards or this table say (RFC 5280, RFC 3647, OAuth, JetStream);
 * the table grows with each word that readers had to ask about.
 */
export const vocabulary: readonly Term[] = [
  {
    use: 'path, slot, position, location',
    meaning: 'JSON path; room in a queue; position in a chain; city',
    insteadOf: ['place', 'places'],
  },
  {
    use: 'terms, label, excerpt',
    meaning: 'search terms; text of a code; part of an answer',
    insteadOf: ['words'],
  },
  {
    use: 'tick, slot, lock order',
    meaning: 'event loop; queue; locks',
    insteadOf: ['turn', 'turns'],
  },
  {
    use: 'certificate status, current role, open',
    meaning: 'state of a certificate; role of an operator; a renewal that waits',
    insteadOf: ['standing'],
  },
  {
    use: 'free, release, requeue, refund',
    meaning: 'memory; slot; message; quota',
    insteadOf: ['giveBack', 'gaveBack'],
  },
  {
    use: 'created, stored, notified, requested',
    meaning: 'participles for what was done',
    insteadOf: ['made', 'kept', 'told', 'asked', 'begun', 'meant', 'wanted', 'brought', 'overtaken'],
  },
  {
    use: 'fake',
    meaning: 'test double',
    insteadOf: ['playing', 'played'],
  },
  {
    use: 'side effect, also',
    meaning: 'consequence of a transition',
    insteadOf: ['besides', 'beside'],
  },
  {
    use: 'caller, operator, partner, applicant',
    meaning: 'the party, by its role',
    insteadOf: ['somebody', 'whoever', 'whom'],
  },
  {
    use: 'applicant, subscriber',
    meaning: 'before and after issuance (RFC 3647)',
    insteadOf: ['holder', 'holders'],
  },
  {
    use: 'constant time, uniform delay',
    meaning: 'an answer whose duration reveals nothing',
    insteadOf: ['tellNothing', 'inEvenTime'],
  },
  {
    use: 'lease',
    meaning: "a worker's time-limited right to a row",
    insteadOf: ['takeUp', 'takenUp'],
  },
  {
    use: 'evidence, attachment',
    meaning: 'file of a request; named file of the regular family',
    insteadOf: ['paper', 'papers'],
  },
  {
    use: 'dead letter',
    meaning: 'message that failed for good',
    insteadOf: ['buried', 'burial'],
  },
];
