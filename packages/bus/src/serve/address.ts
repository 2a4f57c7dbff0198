import { isInInbox, isReplySubject } from '../wire/subjects.ts';

/** Calls of one caller, or of all callers if subjects name none. */
export interface Addressed {
  /** Prefix of the subjects; it ends with the caller's token if subjects name the caller. */
  readonly prefix: string;
  readonly caller: string | undefined;
}

/** Lists the prefixes at which a router answers: one for each caller that subjects name. */
export function listAddressed(
  subjectPrefix: string,
  callers: readonly string[] | undefined,
): readonly Addressed[] {
  if (callers === undefined) return [{ prefix: subjectPrefix, caller: undefined }];
  return callers.map((caller) => ({ prefix: `${subjectPrefix}.${caller}`, caller }));
}

/**
 * Tells whether the caller may be answered there. A named caller is answered in its own inbox only. Otherwise it could
 * make the service write into another's inbox, or abort another's calls.
 */
export function isReplyAllowed(
  { caller }: Pick<Addressed, 'caller'>,
  reply: string | undefined,
): reply is string {
  if (reply === undefined || !isReplySubject(reply)) return false;
  return caller === undefined || isInInbox(caller, reply);
}
