import { describe, expect, it, test } from 'vitest';
import { errorCodes } from '../shared/errors.ts';
import { createCatalogueText, createFieldText, createText } from './create-text.ts';
import { defineTexts } from './define-texts.ts';
import type { ErrorText } from './error-text.ts';
import { renderText } from './render-text.ts';
import { templates } from './templates.ts';

const languages = ['en', 'es'] as const;

/** Facts that fit each form of a placeholder. */
const factsByForm: Readonly<Record<string, unknown>> = {
  text: createText('field.required'),
  or: ['ONE_WEEK', createText('file.kind.pdf')],
  clauses: [createCatalogueText('RUC_INVALID'), createCatalogueText('RUC_INACTIVE')],
  sentences: [createText('field.required'), createText('field.invalid')],
};

function placeholders(template: string): string[] {
  return [...template.matchAll(/\{([\w:]+)\}/g)].map(([, placeholder = '']) => placeholder);
}

function withFacts(id: string, template: string): ErrorText {
  const facts = placeholders(template).map((placeholder) => {
    const [name = '', form] = placeholder.split(':');
    return [name, form === undefined ? `<${name}>` : factsByForm[form]];
  });
  return { id, facts: Object.fromEntries(facts) };
}

describe.each(Object.entries(templates))('the template %s', (id, row: { en: string; es: string }) => {
  it('names the same facts in both languages', () => {
    expect(placeholders(row.es).sort()).toEqual(placeholders(row.en).sort());
  });

  it.each(languages)('renders with its facts in %s', (language) => {
    const rendered = renderText(withFacts(id, row.en), language);
    expect(rendered).toBeTruthy();
    expect(rendered).not.toMatch(/[{}]|undefined|\[object/);
  });

  it('has a Spanish text of its own, unless it has no words', () => {
    const words = row.en.replaceAll(/\{[\w:]+\}/g, '');
    if (/[a-z]{2}/i.test(words)) expect(row.es).not.toBe(row.en);
  });
});

test.each(errorCodes)('the catalogue text of %s renders in both languages', (code) => {
  const [en, es] = languages.map((language) => renderText(createCatalogueText(code), language));
  expect(en).toBeTruthy();
  expect(es).toBeTruthy();
  expect(es).not.toBe(en);
});

describe('a text', () => {
  it('renders its facts, texts among them, in the language of the reader', () => {
    const content = createText('file.content.script');
    const script = createFieldText('identificationFront', createText('file.activeContent', { content }));
    const kinds = [createText('file.kind.image'), createText('file.kind.pdf')];
    const other = createFieldText('pdfCompanyRuc', createText('file.ofKinds', { kinds }));
    const text = createText('request.sentences', { texts: [script, other] });
    expect(renderText(text, 'en')).toBe(
      'identificationFront holds a script; print it into a new PDF and send that. pdfCompanyRuc must be a JPEG or PNG image or a PDF',
    );
    expect(renderText(text, 'es')).toBe(
      'identificationFront contiene un script; imprímalo en un PDF nuevo y envíe ese. pdfCompanyRuc debe ser una imagen JPEG o PNG o un PDF',
    );
  });

  it.each<ErrorText>([
    { id: 'of.another.release' },
    { id: 'toString' },
    { id: 'field.maxCharacters' },
    { id: 'field.maxCharacters', facts: { count: null } },
    { id: 'field.fault', facts: { field: 'city', fault: { id: 'of.another.release' } } },
    { id: 'request.clauses', facts: { texts: [{ id: 'of.another.release' }] } },
  ])('of another release, as %j, is not rendered', (text) => {
    expect(languages.map((language) => renderText(text, language))).toEqual([undefined, undefined]);
  });
});

test('a row without both languages, or with other facts in one of them, does not compile', () => {
  // @ts-expect-error: the Spanish text is missing
  defineTexts({ 'a.row': { en: 'is required' } });
  // @ts-expect-error: the Spanish text lacks the fact
  defineTexts({ 'a.row': { en: 'has {count} pages', es: 'tiene páginas' } });
  // @ts-expect-error: the English text lacks the fact
  defineTexts({ 'a.row': { en: 'has pages', es: 'tiene {count} páginas' } });
  // @ts-expect-error: the fact has another form in Spanish
  defineTexts({ 'a.row': { en: 'holds {content:text}', es: 'contiene {content}' } });
  expect(defineTexts({ 'a.row': { en: '{a} of {b}', es: '{b}: {a}' } })).toHaveProperty(['a.row']);
});

test('facts that do not fit the template do not compile', () => {
  // @ts-expect-error: there is no such template
  expect(createText('no.such.template')).toBeDefined();
  // @ts-expect-error: the fact is missing
  expect(createText('field.maxCharacters')).toBeDefined();
  // @ts-expect-error: it has another name
  expect(createText('field.maxCharacters', { size: 1 })).toBeDefined();
  // @ts-expect-error: English words are no text
  expect(createText('file.activeContent', { content: 'a script' })).toBeDefined();
});
