import { readFileSync } from 'node:fs';

/** A change that was agreed with the parties concerned. */
export interface Waiver {
  /** Quoted lines of the check. */
  readonly what: readonly string[];
  readonly why: string;
  /** Last valid day, such as `2027-01-31`. */
  readonly until: string;
}

const file = new URL('../waivers.json', import.meta.url);

/**
 * Reads the waivers.
 * @throws Error if one lacks a line, a reason or a date
 */
export function readWaivers(): Waiver[] {
  const waivers = JSON.parse(readFileSync(file, 'utf8')) as Waiver[];
  for (const { what, why, until } of waivers) {
    const isWhole = what.length > 0 && why.trim() !== '' && /^\d{4}-\d{2}-\d{2}$/.test(until);
    if (!isWhole) throw new Error(`waivers.json: a waiver needs what, why and until: ${what.join(', ')}`);
  }
  return waivers;
}

interface Judgement {
  /** Findings that no valid waiver names. */
  readonly open: readonly string[];
  /** Findings that only an expired waiver names. */
  readonly expired: readonly string[];
  readonly waived: readonly string[];
  /** Lines of waivers that no finding needs any more. */
  readonly idle: readonly string[];
}

/**
 * Compares findings with waivers.
 * @param today in the format of `until`
 */
export function judgeFindings(
  findings: readonly string[],
  waivers: readonly Waiver[],
  today: string,
): Judgement {
  const endDates = new Map(waivers.flatMap(({ what, until }) => what.map((line) => [line, until] as const)));
  const of = (wanted: (until: string | undefined) => boolean) =>
    findings.filter((finding) => wanted(endDates.get(finding)));
  return {
    open: of((until) => until === undefined),
    expired: of((until) => until !== undefined && until < today),
    waived: of((until) => until !== undefined && until >= today),
    idle: [...endDates.keys()].filter((line) => !findings.includes(line)),
  };
}
