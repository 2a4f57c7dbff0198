import { isInInboxOf, isReplySubject } from '../wire/subjects.ts';

/** Calls of one caller, or of all callers where subjects name none. */
export interface Addressed {
  /** The caller's token ends it, where subjects name the caller. */
  readonly prefix: string;
  readonly caller: string | undefined;
}

/** Lists the prefixes that a router answers at: one for each caller that subjects name. */
export function listAddressed(
  subjectPrefix: string,
  callers: readonly string[] | undefined,
): readonly Addressed[] {
  if (callers === undefined) return [{ prefix: subjectPrefix, caller: undefined }];
  return callers.map((caller) => ({ prefix: `${subjectPrefix}.${caller}`, caller }));
}

/**
 * Tells whether the caller may be answered there. A caller that is named is answered in its own inbox alone: else it could
 * have the service write into another's, or abort another's calls.
 */
export function isReplyOf({ caller }: Pick<Addressed, 'caller'>, reply: string | undefined): reply is string {
  if (reply === undefined || !isReplySubject(reply)) return false;
  return caller === undefined || isInInboxOf(caller, reply);
}
