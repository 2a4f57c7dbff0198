import { cancelToken, isInInboxOf, isReplySubject } from '../wire/subjects.ts';

/** Who calls what, as the subject of a message says it. */
export interface Address {
  /** The token after the prefix, where subjects name the caller. */
  readonly caller: string | undefined;
  /** Empty where the subject ends before it. */
  readonly path: string;
}

export interface Addressed {
  readonly subjectPrefix: string;
  readonly namesCaller?: boolean;
}

/** Reads `<prefix>.<path>`, or `<prefix>.<caller>.<path>`. */
export function addressReader({
  subjectPrefix,
  namesCaller = false,
}: Addressed): (subject: string) => Address {
  const start = subjectPrefix.length + 1;
  if (!namesCaller) return (subject) => ({ caller: undefined, path: subject.slice(start) });
  return (subject) => {
    const dot = subject.indexOf('.', start);
    if (dot === -1) return { caller: subject.slice(start), path: '' };
    return { caller: subject.slice(start, dot), path: subject.slice(dot + 1) };
  };
}

/** Where aborts of calls are heard. */
export function cancelSubject({ subjectPrefix, namesCaller = false }: Addressed): string {
  return `${subjectPrefix}.${namesCaller ? '*.' : ''}${cancelToken}`;
}

/**
 * Whether the caller may be answered there. A caller that is named is answered in its own inbox alone: else it could
 * have the service write into another's, or abort another's calls.
 */
export function isReplyOf({ caller }: Address, reply: string | undefined): reply is string {
  if (reply === undefined || !isReplySubject(reply)) return false;
  return caller === undefined || isInInboxOf(caller, reply);
}
