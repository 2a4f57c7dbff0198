/** Valid subjects: dot-separated tokens without wildcards, spaces or characters with a meaning in NATS. */
const subjectPattern = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;

const maxSubjectLength = 200;

/** Token under a router's prefix for abort messages; no procedure may begin with it. */
export const cancelToken = '_cancel';

/** Root of inboxes; a reply subject outside of it is never answered. */
const inboxRoot = '_INBOX';

const namePattern = /^[A-Za-z0-9-]{1,40}$/;

/** Tells whether `subject` may be published to: the client writes subjects into the protocol unescaped. */
export function isSubject(subject: string): boolean {
  return subject.length <= maxSubjectLength && subjectPattern.test(subject);
}

/** Throws a `TypeError` that quotes the subject unless it may be published to. */
export function assertSubject(subject: string): string {
  if (isSubject(subject)) return subject;
  throw new TypeError(
    `Not a subject of letters, digits, "_", "-" and single dots, at most ${maxSubjectLength} characters: ${quote(subject)}`,
  );
}

/** Builds the inbox prefix: a client's name becomes a token of its inbox, which allow-lists name. */
export function toInboxPrefix(name: string): string {
  if (!namePattern.test(name)) {
    throw new TypeError(`A bus name is 1 to 40 letters, digits or "-": ${quote(name)}`);
  }
  return `${inboxRoot}_${name}`;
}

/**
 * Tells whether a server may answer on `reply`. Every caller chooses its reply subject, and the answer is published
 * with the server's rights: anything but an inbox would let a caller write where only the server may.
 */
export function isReplySubject(reply: string): boolean {
  if (!reply.startsWith(inboxRoot) || !isSubject(reply)) return false;
  const next = reply.charCodeAt(inboxRoot.length);
  return next === 0x2e /* . */ || (next === 0x5f /* _ */ && reply.includes('.'));
}

/** Tells whether a reply subject lies in the inbox of the client with this name. */
export function isInInbox(name: string, reply: string): boolean {
  return reply.startsWith(`${inboxRoot}_${name}.`);
}

/** Checks a subject filter: subjects of streams and consumers may contain wildcards and the `$` of system subjects. */
export function assertSubjectFilter(subject: string): string {
  const tokens = subject.split('.');
  const valid = tokens.every(
    (token, index) =>
      token === '*' || /^\$?[A-Za-z0-9_-]+$/.test(token) || (token === '>' && index === tokens.length - 1),
  );
  if (valid && subject.length <= maxSubjectLength) return subject;
  throw new TypeError(`Not a subject filter: ${quote(subject)}`);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
