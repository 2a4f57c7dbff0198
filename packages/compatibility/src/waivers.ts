import { readFileSync } from 'node:fs';

/** A change that was agreed with those whom it concerns. */
export interface Waiver {
  /** The lines of the check, word for word. */
  readonly what: readonly string[];
  readonly why: string;
  /** `2027-01-31`: from the day after it counts no more. */
  readonly until: string;
}

const file = new URL('../waivers.json', import.meta.url);

/** @throws Error where one lacks a line, a reason or a date */
export function readWaivers(): Waiver[] {
  const waivers = JSON.parse(readFileSync(file, 'utf8')) as Waiver[];
  for (const { what, why, until } of waivers) {
    const isWhole = what.length > 0 && why.trim() !== '' && /^\d{4}-\d{2}-\d{2}$/.test(until);
    if (!isWhole) throw new Error(`waivers.json: a waiver needs what, why and until: ${what.join(', ')}`);
  }
  return waivers;
}

interface Judged {
  /** What no waiver that counts names. */
  readonly open: readonly string[];
  /** What one names that counts no more. */
  readonly expired: readonly string[];
  readonly waived: readonly string[];
  /** Lines of waivers that nothing needs any more. */
  readonly idle: readonly string[];
}

/** @param today as `until` is written */
export function judgeFindings(
  findings: readonly string[],
  waivers: readonly Waiver[],
  today: string,
): Judged {
  const untilOf = new Map(waivers.flatMap(({ what, until }) => what.map((line) => [line, until] as const)));
  const of = (wanted: (until: string | undefined) => boolean) =>
    findings.filter((finding) => wanted(untilOf.get(finding)));
  return {
    open: of((until) => until === undefined),
    expired: of((until) => until !== undefined && until < today),
    waived: of((until) => until !== undefined && until >= today),
    idle: [...untilOf.keys()].filter((line) => !findings.includes(line)),
  };
}
