import { accessTexts } from './access.ts';
import { callTexts } from './calls.ts';
import { fieldTexts } from './fields.ts';
import { fileTexts } from './files.ts';
import { requestTexts } from './requests.ts';

/** Texts that follow the name of a field, English to Spanish. `{name}` stands for a fact. */
export const afterField = { ...fieldTexts, ...fileTexts } as const;

/** Texts that stand alone. */
export const sentences = { ...accessTexts, ...callTexts, ...requestTexts } as const;

export type ErrorText = keyof typeof afterField | keyof typeof sentences;

type FactOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | FactOf<Rest>
  : never;

/** Facts are codes, names, numbers, or what was given: nothing in them is translated but what `fact-words.ts` knows. */
type Facts<Text extends ErrorText> = [FactOf<Text>] extends [never]
  ? []
  : [facts: Readonly<Record<FactOf<Text>, string | number>>];

/** A text with its facts, in English. A text that is in no table, and so has no Spanish, does not compile. */
export function say<Text extends ErrorText>(text: Text, ...[facts]: Facts<Text>): string {
  if (facts === undefined) return text;
  const known: Readonly<Record<string, string | number>> = facts;
  return fill(text, (name) => String(known[name]));
}

/** Each `{name}` of a text replaced by its fact. */
export function fill(text: string, factOf: (name: string) => string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_all, name: string) => factOf(name));
}
