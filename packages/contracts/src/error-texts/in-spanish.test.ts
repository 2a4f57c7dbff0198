import { expect, test } from 'vitest';
import { errorCatalogue } from '../shared/errors.ts';
import { inSpanish } from './in-spanish.ts';
import { afterField, fill, sentences } from './say.ts';

/** A fact that no text holds; where it must be one of our words, such a word. */
const facts: Readonly<Record<string, readonly [en: string, es: string]>> = {
  choices: ['ONE_WEEK or ONE_MONTH', 'ONE_WEEK o ONE_MONTH'],
  kinds: ['a JPEG or PNG image or a PDF', 'una imagen JPEG o PNG o un PDF'],
  content: ['a script', 'un script'],
  reason: ['city is required', 'city es obligatorio'],
  reasons: ['The RUC is not valid', 'El RUC no es válido'],
  field: ['evidences[0].evidenceFile', 'evidences[0].evidenceFile'],
};
const factOf = (language: 0 | 1) => (name: string) => facts[name]?.[language] ?? `<${name}>`;
const filled = ([en, es]: readonly [string, string]) => [fill(en, factOf(0)), fill(es, factOf(1))] as const;

const catalogue = Object.values(errorCatalogue).map(({ en, es }) => [en, es] as const);
const alone = Object.entries(sentences).map(filled);
const ofFields = Object.entries(afterField)
  .map(filled)
  .map(([en, es]) => [`evidences[0].evidenceFile ${en}`, `evidences[0].evidenceFile ${es}`] as const);

test.each([...catalogue, ...alone, ...ofFields])('"%s" in Spanish is "%s"', (en, es) => {
  expect(inSpanish(en)).toBe(es);
});

test.each([...Object.entries(sentences), ...Object.entries(afterField)])(
  '"%s" names the same facts in Spanish',
  (en, es) => {
    const names = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    expect(names(es)).toEqual(names(en));
  },
);

test('several texts in one are each put into Spanish', () => {
  const script = 'identificationFront holds a script; print it into a new PDF and send that';
  expect(
    inSpanish(`${script}. identificationBack holds a script; print it into a new PDF and send that`),
  ).toBe(
    'identificationFront contiene un script; imprímalo en un PDF nuevo y envíe ese. identificationBack contiene un script; imprímalo en un PDF nuevo y envíe ese',
  );
  expect(inSpanish('The RUC is not valid; The RUC is not active')).toBe(
    'El RUC no es válido; El RUC no está activo',
  );
});

test.each(['', 'nobody wrote this', 'city must be a butterfly', `city ${'x'.repeat(5_000)}`])(
  'a text of no table, as "%s", has no Spanish',
  (text) => {
    expect(inSpanish(text)).toBeUndefined();
  },
);

test('a text whose fact is full of words of ours is read in little time', () => {
  const given = 'must be one of ; is not '.repeat(160);
  expect(inSpanish(`period must be one of A, B; "${given}" is not`)).toContain('no lo es');
});
