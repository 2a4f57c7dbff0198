import { createText } from '@rubrica/contracts/error-texts/create-text';
import { errorTextSchema } from '@rubrica/contracts/error-texts/error-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import { z } from 'zod';
import { faultKinds, type Verdict } from '../verdict.ts';

// The answering process has read bytes from outside: its answer is checked like any input.
const readySchema = z.literal('ready');
/**
 * Verdict as a checker sends it. `says` is the English rendering, which intake of the previous release reads.
 * A checker of that release sends nothing else. A general text replaces it, because sentences of another
 * process are not shown.
 */
const verdictSchema = z.union([
  z.object({ kind: z.literal('ok') }),
  z.object({
    kind: z.enum(['doubtful', ...faultKinds]),
    says: z.string().max(300),
    text: errorTextSchema.default(createText('file.notPassed')),
  }),
]);

/** Size of both answers to one file, with a margin: each is a line of a few hundred characters. */
export const maxAnswerBytes = 4_096;

export const readyLine = `${JSON.stringify('ready')}\n`;

export function verdictLine(verdict: Verdict): string {
  const answer = verdict.kind === 'ok' ? verdict : { ...verdict, says: renderEnglish(verdict.text) };
  return `${JSON.stringify(answer)}\n`;
}

/** Reads one kind of answer. @returns undefined if the line is no such answer */
export type ReadAnswer<Answer> = (line: string) => Answer | undefined;

export const readReady: ReadAnswer<'ready'> = (line) => readAnswer(readySchema, line);

export const readVerdict: ReadAnswer<Verdict> = (line) => readAnswer(verdictSchema, line);

function readAnswer<Answer>(schema: z.ZodType<Answer>, line: string): Answer | undefined {
  try {
    return schema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
