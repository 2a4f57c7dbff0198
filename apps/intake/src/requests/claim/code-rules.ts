import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';

export type CodePurpose = 'claim' | 'download' | 'revoke' | 'renew';

export const codeRules = {
  ttlMs: 5 * MINUTE_MS,
  tries: 5,
  perHour: 5,
  /** Over all codes of a group, right ones too: new codes must not make a million guesses affordable. */
  triesPerDay: 15,
} as const;

/** How far back codes count for anything. */
export const codesCountForMs = DAY_MS;

/** A code that was sent; over once its digest is gone: used, replaced, or the link it belonged to has died. */
export interface SentCode {
  readonly id: string;
  readonly purpose: CodePurpose;
  readonly sentAt: Date;
  readonly expiresAt: Date;
  readonly digest: string | null;
  readonly sealedKey: string | null;
  /** Right ones too. */
  readonly tries: number;
  readonly usedAt: Date | null;
}

/** Codes of one group, which count together: old to new, of the last day. */
export interface CodeHistory {
  readonly codes: readonly SentCode[];
  /** Times of their tries, by the audit log. It has those of codes whose rows are gone. */
  readonly triedAt: readonly Date[];
  /** Times at which codes were sent, by the timeline: rows of codes can be deleted. */
  readonly timelineSentAt: readonly Date[];
}

export type LiveCode = SentCode & { readonly digest: string; readonly sealedKey: string };

function plus(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}
function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

/** Of codes from old to new: the one in hand for this purpose, expired and spent ones too. */
function codeInHand(codes: readonly SentCode[], purpose: CodePurpose): LiveCode | undefined {
  const last = codes.findLast((code) => code.purpose === purpose);
  return last && last.digest !== null && last.sealedKey !== null ? (last as LiveCode) : undefined;
}

/** End of the lock of a group of codes, after too many tries within a day; null: not locked. */
export function lockedUntil({ triedAt }: Pick<CodeHistory, 'triedAt'>, now: Date): Date | null {
  const last = triedAt.at(-codeRules.triesPerDay);
  if (last === undefined) return null;
  const until = plus(last, codesCountForMs);
  return until > now ? until : null;
}

interface CodeOptions {
  readonly now: Date;
  readonly intervalSeconds: number;
  /** Most codes an hour by the timeline, which does not tell groups of revocations apart. */
  readonly timelinePerHour?: number;
}

/** When the next code may be sent: `now` or later. */
export function nextCodeAt(history: CodeHistory, options: CodeOptions): Date {
  const { now, intervalSeconds, timelinePerHour = codeRules.perHour } = options;
  const { codes, timelineSentAt } = history;
  const last = codes.at(-1);
  const hourly = [codes.at(-codeRules.perHour)?.sentAt, timelineSentAt.at(-timelinePerHour)];
  return [
    // Who has used a code has received it: the next is for something else.
    last && !last.usedAt ? plus(last.sentAt, intervalSeconds * 1000) : now,
    ...hourly.map((sentAt) => (sentAt === undefined ? now : plus(sentAt, HOUR_MS))),
    lockedUntil(history, now) ?? now,
  ].reduce(later, now);
}

/** Codes that may be tried, where several are good at once. */
export function codesInForce(codes: readonly SentCode[], now: Date): LiveCode[] {
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
  const locked = lockedUntil(history, now);
  if (locked) return { kind: 'exceeded', until: locked };
  const code = codeInHand(history.codes, purpose);
  if (!code || now >= code.expiresAt) return { kind: 'expired' };
  if (code.tries >= codeRules.tries) return { kind: 'exceeded', until: nextCodeAt(history, options) };
  return { kind: 'try', code };
}

/** Tells if a code that was right is still there. Its tries were judged when this one was counted. */
export function isLive({ codes }: Pick<CodeHistory, 'codes'>, tried: LiveCode, now: Date): boolean {
  const code = codes.find(({ id }) => id === tried.id);
  return code?.digest === tried.digest && now < code.expiresAt;
}
