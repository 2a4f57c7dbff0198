import { z } from 'zod';
import { faultKinds, type Verdict } from '../verdict.ts';

export type Answer = Verdict | 'ready';

// The process that answers has read bytes from outside: its answer is checked like any input.
const answerSchema = z.union([
  z.literal('ready'),
  z.object({ kind: z.literal('ok') }),
  z.object({ kind: z.enum(['doubtful', ...faultKinds]), says: z.string().max(300) }),
]);

export const readyLine = `${JSON.stringify('ready')}\n`;

export function verdictLine(verdict: Verdict): string {
  return `${JSON.stringify(verdict)}\n`;
}

/** @returns undefined where the line is no answer */
export function readAnswer(line: string): Answer | undefined {
  try {
    return answerSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
