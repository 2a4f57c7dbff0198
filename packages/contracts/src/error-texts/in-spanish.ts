import { errorCatalogue } from '../shared/errors.ts';
import { factsInSpanish } from './fact-words.ts';
import { afterField, fill, sentences } from './say.ts';

interface Rule {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly es: string;
}

/** Longer than any text that is made here: one that is longer was not, and is not searched. */
const longest = 4_000;
const fieldName = /^([A-Za-z_][\w.[\]]*) (.+)$/s;

const catalogue = Object.values(errorCatalogue).map(({ en, es }) => [en, es] as const);
const plain: ReadonlyMap<string, string> = new Map(
  [...catalogue, ...Object.entries(sentences), ...Object.entries(afterField)].filter(
    ([en]) => !en.includes('{'),
  ),
);
const sentenceRules = rulesOf(sentences);
const fieldRules = rulesOf(afterField);

/** Those with the most words first: "must be one of {values}; {given} is not" before "must be one of {values}". */
function rulesOf(texts: Readonly<Record<string, string>>): readonly Rule[] {
  return Object.entries(texts)
    .filter(([en]) => en.includes('{'))
    .sort(([a], [b]) => wordsOf(b) - wordsOf(a))
    .map(([en, es]) => ({ pattern: patternOf(en), names: factNames(en), es }));
}

function wordsOf(text: string): number {
  return text.replaceAll(/\{\w+\}/g, '').length;
}

function factNames(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function patternOf(text: string): RegExp {
  const parts = text.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.+?)')}$`, 's');
}

/**
 * A text of the catalogue or one that `say` made, alone or after a field's name, in Spanish.
 *
 * Texts are made in English where a fault is found, cross the bus and stay in records as they are; what a caller reads
 * is put into their language at the edge. So the tables are read backwards here, and old records are in Spanish too.
 * @returns undefined for a text that is in no table
 */
export function inSpanish(text: string): string | undefined {
  if (text.length > longest) return undefined;
  // Several first: the last fact of one text would take in the texts that follow it.
  return several(text) ?? whole(text) ?? ofField(text);
}

function whole(text: string): string | undefined {
  return plain.get(text) ?? match(text, sentenceRules);
}

function ofField(text: string): string | undefined {
  const [, name = '', rest = ''] = fieldName.exec(text) ?? [];
  const said = plain.get(rest) ?? match(rest, fieldRules);
  return said === undefined ? undefined : `${name} ${said}`;
}

function match(text: string, rules: readonly Rule[]): string | undefined {
  for (const { pattern, names, es } of rules) {
    const found = pattern.exec(text);
    if (!found) continue;
    const facts = new Map(names.map((name, index) => [name, factInSpanish(name, found[index + 1] ?? '')]));
    if ([...facts.values()].includes(undefined)) continue;
    return fill(es, (name) => facts.get(name) ?? '');
  }
  return undefined;
}

/** @returns undefined where the fact should be a text of ours, and is none */
function factInSpanish(name: string, fact: string): string | undefined {
  if (name === 'reason' || name === 'reasons') return inSpanish(fact);
  const translate = factsInSpanish[name];
  return translate ? translate(fact) : fact;
}

/** Several texts in one, as a record of a request's files or of a review has them. */
function several(text: string): string | undefined {
  for (const between of ['. ', '; ']) {
    const parts = text.split(between);
    if (parts.length === 1) continue;
    const said = parts.map((part) => whole(part) ?? ofField(part));
    if (said.every((one) => one !== undefined)) return said.join(between);
  }
  return undefined;
}
