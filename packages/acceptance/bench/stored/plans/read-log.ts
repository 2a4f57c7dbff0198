import type { PlanNode } from './judge-plan.ts';

/** A statement that PostgreSQL has carried out, as `auto_explain` wrote it to its log. */
export interface SeenStatement {
  readonly durationMs: number;
  /** On one line. */
  readonly text: string;
  readonly plan: PlanNode;
}

const head = /LOG: {2}duration: ([\d.]+) ms {2}plan:$/;

/** The statements in a piece of PostgreSQL's log, in their order; a line that is not whole yet counts for nothing. */
export function readStatements(log: string): SeenStatement[] {
  const found: SeenStatement[] = [];
  const lines = log.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const durationMs = head.exec(lines[at] ?? '')?.[1];
    if (durationMs === undefined) continue;
    const start = at + 1;
    // What goes on in the next line begins with a tab.
    while (lines[at + 1]?.startsWith('\t')) at += 1;
    const entry = parsed(lines.slice(start, at + 1).join('\n'));
    if (entry !== undefined) {
      const text = entry['Query Text'].replaceAll(/\s+/g, ' ').trim();
      found.push({ durationMs: Number(durationMs), text, plan: entry.Plan });
    }
  }
  return found;
}

function parsed(json: string): { readonly 'Query Text': string; readonly Plan: PlanNode } | undefined {
  try {
    // A line break within a text of the statement is escaped; the tab that begins a line is white space.
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
