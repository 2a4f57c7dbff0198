import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';

export type CodePurpose = 'claim' | 'download' | 'revoke' | 'renew';

export const codeRules = {
  ttlMs: 5 * MINUTE_MS,
  tries: 5,
  perHour: 5,
  /**
   * Limit over all codes of a group, right ones too: new codes must not make a million guesses affordable.
   */
  triesPerDay: 15,
} as const;

/** Time for which codes count. */
export const codesCountForMs = DAY_MS;

/**
 * Code that was sent. It is over once its digest is gone: used, replaced, or the link to which it belonged
 * has died.
 */
export interface SentCode {
  readonly id: string;
  readonly purpose: CodePurpose;
  readonly sentAt: Date;
  readonly expiresAt: Date;
  readonly digest: string | null;
  readonly sealedKey: string | null;
  /** Number of tries, right ones too. */
  readonly tries: number;
  readonly usedAt: Date | null;
}

/** Codes of one group, which count together: old to new, of the last day. */
export interface CodeHistory {
  readonly codes: readonly SentCode[];
  /** Times of their tries, by the audit log, which includes codes whose rows are gone. */
  readonly triedAt: readonly Date[];
  /** Times at which codes were sent, by the timeline: rows of codes can be deleted. */
  readonly timelineSentAt: readonly Date[];
}

export type LiveCode = SentCode & { readonly digest: string; readonly sealedKey: string };

function addMs(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}
function later(left: Date, right: Date): Date {
  return left > right ? left : right;
}

/** Finds the current code of a purpose among codes from old to new, expired and spent ones included. */
function findCurrentCode(codes: readonly SentCode[], purpose: CodePurpose): LiveCode | undefined {
  const last = codes.findLast((code) => code.purpose === purpose);
  return last && last.digest !== null && last.sealedKey !== null ? (last as LiveCode) : undefined;
}

/**
 * Returns the end of the lock of a group of codes, after too many tries within a day; null if it is not
 * locked.
 */
export function findLockEnd({ triedAt }: Pick<CodeHistory, 'triedAt'>, now: Date): Date | null {
  const last = triedAt.at(-codeRules.triesPerDay);
  if (last === undefined) return null;
  const until = addMs(last, codesCountForMs);
  return until > now ? until : null;
}

interface CodeOptions {
  readonly now: Date;
  readonly intervalSeconds: number;
  /** Maximum of codes an hour by the timeline, which does not distinguish groups of revocations. */
  readonly timelinePerHour?: number;
}

/** Computes the time at which the next code may be sent: `now` or later. */
export function computeNextCodeAt(history: CodeHistory, options: CodeOptions): Date {
  const { now, intervalSeconds, timelinePerHour = codeRules.perHour } = options;
  const { codes, timelineSentAt } = history;
  const last = codes.at(-1);
  const hourly = [codes.at(-codeRules.perHour)?.sentAt, timelineSentAt.at(-timelinePerHour)];
  return [
    // A used code was received: the next one has another purpose.
    last && !last.usedAt ? addMs(last.sentAt, intervalSeconds * 1000) : now,
    ...hourly.map((sentAt) => (sentAt === undefined ? now : addMs(sentAt, HOUR_MS))),
    findLockEnd(history, now) ?? now,
  ].reduce(later, now);
}

/** Selects the codes that may be tried, where several are valid at once. */
export function selectTriableCodes(codes: readonly SentCode[], now: Date): LiveCode[] {
  return codes.filter(
    (code): code is LiveCode =>
      code.digest !== null && code.sealedKey !== null && now < code.expiresAt && code.tries < codeRules.tries,
  );
}

export type Judgement =
  | { readonly kind: 'try'; readonly code: LiveCode }
  | { readonly kind: 'expired' }
  | { readonly kind: 'exceeded'; readonly until: Date };

/** Judges whether a code may be tried at all, before it is counted and compared. */
export function judge(history: CodeHistory, options: CodeOptions & { purpose: CodePurpose }): Judgement {
  const { purpose, now } = options;
  const locked = findLockEnd(history, now);
  if (locked) return { kind: 'exceeded', until: locked };
  const code = findCurrentCode(history.codes, purpose);
  if (!code || now >= code.expiresAt) return { kind: 'expired' };
  if (code.tries >= codeRules.tries) return { kind: 'exceeded', until: computeNextCodeAt(history, options) };
  return { kind: 'try', code };
}

/** Returns whether a right code is still valid. Its tries were judged when this one was counted. */
export function isStillValid({ codes }: Pick<CodeHistory, 'codes'>, tried: LiveCode, now: Date): boolean {
  const code = codes.find(({ id }) => id === tried.id);
  return code?.digest === tried.digest && now < code.expiresAt;
}
