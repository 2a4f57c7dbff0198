import type { PlanNode } from './judge-plan.ts';

/** A statement that PostgreSQL has executed, from the log of `auto_explain`. */
export interface SeenStatement {
  readonly durationMs: number;
  /** Text on one line. */
  readonly text: string;
  readonly plan: PlanNode;
}

const head = /LOG: {2}duration: ([\d.]+) ms {2}plan:$/;

/** Reads the statements in a part of PostgreSQL's log, in order; it ignores an incomplete line. */
export function readStatements(log: string): SeenStatement[] {
  const found: SeenStatement[] = [];
  const lines = log.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const durationMs = head.exec(lines[at] ?? '')?.[1];
    if (durationMs === undefined) continue;
    const start = at + 1;
    // A continuation line begins with a tab.
    while (lines[at + 1]?.startsWith('\t')) at += 1;
    const entry = parseEntry(lines.slice(start, at + 1).join('\n'));
    if (entry !== undefined) {
      const text = entry['Query Text'].replaceAll(/\s+/g, ' ').trim();
      found.push({ durationMs: Number(durationMs), text, plan: entry.Plan });
    }
  }
  return found;
}

function parseEntry(json: string): { readonly 'Query Text': string; readonly Plan: PlanNode } | undefined {
  try {
    // A line break within a text of the statement is escaped; the tab that begins a line is white space.
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
