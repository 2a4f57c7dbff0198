import { evidenceItemSchema, linkedPartnerRequestSchema } from '@rubrica/contracts/rest/linked-partner';
import { operations } from '@rubrica/contracts/rest/operations';
import type { ReferenceOperationId } from '@rubrica/contracts/rest/reference';
import { families } from '@rubrica/contracts/shared/enumerations';
import { errorDetailSchema } from '@rubrica/contracts/shared/errors';
import { familyKinds } from '@rubrica/contracts/shared/families';
import { linkedPartnerStatusSchema } from '@rubrica/contracts/shared/status';
import { findCanton, findProvince } from '@rubrica/ecuador';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { referenceRows } from './reference-rows.ts';

const ids = Object.keys(referenceRows) as ReferenceOperationId[];
const body = linkedPartnerRequestSchema.shape;
const record = linkedPartnerStatusSchema.shape;

function activeCodes(id: ReferenceOperationId, parentCode?: string) {
  return referenceRows[id]('en')
    .filter((row) => row.active && (parentCode === undefined || row.parentCode === parentCode))
    .map(({ code }) => code);
}

/** A code with one letter off, of the other case, with something beside it, or something else altogether. */
function near(texts: readonly string[]) {
  return fc.oneof(
    fc.constantFrom(...texts),
    fc
      .tuple(fc.constantFrom(...texts), fc.nat(30))
      .map(([text, at]) => text.slice(0, at) + text.slice(at + 1)),
    fc.constantFrom(...texts).map((text) => text.toLowerCase()),
    fc.tuple(fc.constantFrom(...texts), fc.constantFrom('S', 'x', '_', '0')).map((parts) => parts.join('')),
    fc.constantFrom('', '__proto__', 'constructor', 'TOTAL', 'REVOKED'),
    fc.string({ maxLength: 12 }),
  );
}

describe('what a list calls active is what the validators take, and nothing else', () => {
  it.each([
    ['listPeriods', undefined, body.period.unwrap()],
    ['listPeriods', 'TRADITIONAL_SIGNATURE', body.period.unwrap()],
    ['listTypes', 'APPLICATION_TYPE', body.applicationType],
    ['listTypes', 'CERTIFICATE_TYPE', body.certificateType],
    ['listTypes', 'DOCUMENT_TYPE', body.documentType],
    ['listTypes', 'TERMS_TYPE', operations.activeTerms.query.shape.type],
    ['listStates', 'STATUS', record.status],
    ['listStates', 'VALIDATION_STATUS', record.validationStatus],
    ['listEvidenceTypes', undefined, evidenceItemSchema.shape.evidenceType.unwrap()],
    ['listValidationErrorCodes', undefined, errorDetailSchema.shape.code],
  ] as const)('%s %s', (id, parentCode, schema) => {
    const codes = activeCodes(id, parentCode);
    expect(codes.filter((code) => !schema.safeParse(code).success)).toEqual([]);
    expect(new Set(codes)).toEqual(new Set(schema.options));
    fc.assert(
      fc.property(near(codes), (text) => {
        expect(schema.safeParse(text).success).toBe(codes.includes(text));
      }),
    );
  });

  // An oracle of its own: equal but for accents and case.
  const { compare } = new Intl.Collator('en', { sensitivity: 'base' });
  const letters = (text: string) => text.replace(/[^\p{L}\p{N}() ]/gu, 'x').trim();

  it.each([
    ['listProvinces', (text: string) => findProvince(text)],
    ['listCities', (text: string) => findCanton(text)],
  ] as const)('%s', (id, find) => {
    const rows = referenceRows[id]('es');
    for (const { code } of rows) expect(find(code)).toMatchObject({ code });
    fc.assert(
      fc.property(near(rows.map(({ name }) => name)).map(letters), (text) => {
        const isListed = rows.some(({ code, name }) => code === text || compare(letters(name), text) === 0);
        expect(find(text) !== undefined).toBe(isListed);
      }),
    );
  });

  it('a city is found by its name in the province that the list gives it', () => {
    for (const { code, name, parentCode } of referenceRows.listCities('es'))
      expect(findCanton(name, parentCode ?? '')).toMatchObject({ code });
  });
});

describe('what each family may ask for', () => {
  const ofFamily = (id: 'listPeriods' | 'listTypes', family: string) =>
    referenceRows[id]('en').filter((row) => row.family === family);

  it('a transactional signature lasts one week, in whichever family', () => {
    const rows = referenceRows
      .listPeriods('en')
      .filter((row) => row.parentCode === 'TRANSACTIONAL_SIGNATURE');
    expect(rows.map(({ code, family }) => `${family} ${code}`)).toEqual(['TV ONE_WEEK', 'FT ONE_WEEK']);
    expect(ofFamily('listPeriods', 'FT').map(({ code }) => code)).toEqual(['ONE_WEEK']);
  });

  it.each(['TV', 'FR', 'FS', 'API'])('a traditional signature of %s lasts any period', (family) => {
    const codes = ofFamily('listPeriods', family)
      .filter(({ parentCode }) => parentCode === 'TRADITIONAL_SIGNATURE')
      .map(({ code }) => code);
    expect(codes).toEqual(body.period.unwrap().options);
  });

  it.each(families)('periods of %s belong to certificate types of %s', (family) => {
    const kinds = ofFamily('listTypes', family)
      .filter(({ parentCode }) => parentCode === 'CERTIFICATE_TYPE')
      .map(({ code }) => code);
    expect(new Set(ofFamily('listPeriods', family).map(({ parentCode }) => parentCode))).toEqual(
      new Set(kinds),
    );
    expect(kinds).toEqual(familyKinds[family].certificateTypes);
  });
});

test.each(ids)('%s names every row in both languages and has none twice', (id) => {
  const [english, spanish] = [referenceRows[id]('en'), referenceRows[id]('es')];
  const withoutName = (rows: typeof english) => rows.map(({ name: _name, ...rest }) => rest);
  expect(withoutName(spanish)).toEqual(withoutName(english));
  for (const { name } of [...english, ...spanish]) expect(name.trim()).not.toBe('');
  const keys = english.map(({ code, parentCode, family }) => `${code} ${parentCode} ${family}`);
  expect(new Set(keys).size).toBe(keys.length);
  const { success } = operations[id];
  expect(() => success.parse(english)).not.toThrow();
});
