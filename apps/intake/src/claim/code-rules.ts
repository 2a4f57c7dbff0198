import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';

export type CodePurpose = 'claim' | 'download' | 'revoke' | 'renew';

export const codeRules = {
  ttlMs: 5 * MINUTE_MS,
  tries: 5,
  perHour: 5,
  /** Over all codes of a request: new codes must not make a million guesses affordable. */
  wrongTriesPerDay: 15,
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
  readonly wrongTries: number;
  readonly usedAt: Date | null;
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

/** Until when no code of this request is looked at, after too many wrong ones within a day; null: not locked. */
export function lockedUntil(codes: readonly SentCode[], now: Date): Date | null {
  const counting = codes.filter(({ sentAt }) => plus(sentAt, codesCountForMs) > now);
  let wrong = counting.reduce((sum, { wrongTries }) => sum + wrongTries, 0);
  let until: Date | null = null;
  for (const code of counting) {
    if (wrong < codeRules.wrongTriesPerDay) break;
    wrong -= code.wrongTries;
    until = plus(code.sentAt, codesCountForMs);
  }
  return until;
}

/** When the next code may be sent: `now` or later. */
export function nextCodeAt(
  codes: readonly SentCode[],
  { now, intervalSeconds }: { now: Date; intervalSeconds: number },
): Date {
  const last = codes.at(-1);
  const hourly = codes.at(-codeRules.perHour);
  return [
    // Who has used a code has received it: the next is for something else.
    last && !last.usedAt ? plus(last.sentAt, intervalSeconds * 1000) : now,
    hourly ? plus(hourly.sentAt, HOUR_MS) : now,
    lockedUntil(codes, now) ?? now,
  ].reduce(later, now);
}

/** Codes that may be tried, where several are good at once. */
export function codesInForce(codes: readonly SentCode[], now: Date): LiveCode[] {
  return codes.filter(
    (code): code is LiveCode =>
      code.digest !== null &&
      code.sealedKey !== null &&
      now < code.expiresAt &&
      code.wrongTries < codeRules.tries,
  );
}

export type Judgement =
  | { readonly kind: 'try'; readonly code: LiveCode }
  | { readonly kind: 'expired' }
  | { readonly kind: 'exceeded'; readonly until: Date };

/** Whether a code may be tried at all, before it is compared. */
export function judge(
  codes: readonly SentCode[],
  options: { purpose: CodePurpose; now: Date; intervalSeconds: number },
): Judgement {
  const { purpose, now } = options;
  const locked = lockedUntil(codes, now);
  if (locked) return { kind: 'exceeded', until: locked };
  const code = codeInHand(codes, purpose);
  if (!code || now >= code.expiresAt) return { kind: 'expired' };
  if (code.wrongTries >= codeRules.tries) return { kind: 'exceeded', until: nextCodeAt(codes, options) };
  return { kind: 'try', code };
}
