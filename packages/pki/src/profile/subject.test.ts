import { describe, expect, it } from 'vitest';
import { makeHolder } from '../../test/fixtures.ts';
import { holderProfile } from './holder-profiles.ts';
import { holderSubject } from './subject.ts';

const asText = (result: ReturnType<typeof holderSubject>) =>
  result.ok ? result.value.attributes.map(({ type, value }) => `${type}=${value}`) : result.error;

describe('subject of a holder', () => {
  it('of a natural person names the person and leaves tax number and organization out', () => {
    const profile = holderProfile('NATURAL_PERSON', 'TRADITIONAL_SIGNATURE');
    expect(asText(holderSubject(profile, makeHolder(), 'VATEC'))).toEqual([
      'countryName=EC',
      'localityName=Quito',
      'surname=ÑÚÑEZ PAZMIÑO',
      'givenName=MARÍA JOSÉ',
      'serialNumber=IDCEC-1710034065',
      'commonName=MARÍA JOSÉ ÑÚÑEZ PAZMIÑO',
    ]);
  });

  it('of a natural person with RUC carries it under the configured prefix', () => {
    const profile = holderProfile('NATURAL_PERSON_WITH_RUC', 'TRADITIONAL_SIGNATURE');
    expect(asText(holderSubject(profile, makeHolder(), 'TINEC'))).toContain(
      'organizationIdentifier=TINEC-1790012345001',
    );
  });

  it('of a legal representative carries organization and title', () => {
    const profile = holderProfile('LEGAL_REPRESENTATIVE', 'TRADITIONAL_SIGNATURE');
    const attributes = asText(holderSubject(profile, makeHolder(), 'VATEC'));
    expect(attributes).toContain('organizationName=Compañía de Pruebas S.A.');
    expect(attributes).toContain('title=Gerente General');
  });

  it('does without a locality', () => {
    const profile = holderProfile('NATURAL_PERSON', 'TRADITIONAL_SIGNATURE');
    const result = holderSubject(profile, makeHolder({ locality: undefined }), 'VATEC');
    expect(result).toMatchObject({ ok: true });
    expect(asText(result)).not.toContainEqual(expect.stringMatching(/^localityName/));
  });

  it('does without a locality of which nothing but a sign is known', () => {
    const profile = holderProfile('NATURAL_PERSON', 'TRADITIONAL_SIGNATURE');
    expect(asText(holderSubject(profile, makeHolder({ locality: '-' }), 'VATEC'))).toEqual(
      asText(holderSubject(profile, makeHolder({ locality: undefined }), 'VATEC')),
    );
  });

  it('of a person named by a sign is an error value', () => {
    const profile = holderProfile('NATURAL_PERSON', 'TRADITIONAL_SIGNATURE');
    expect(holderSubject(profile, makeHolder({ surnames: '.' }), 'VATEC')).toMatchObject({
      error: { code: 'SUBJECT_INCOMPLETE', attribute: 'surname' },
    });
  });

  it.each([
    ['ruc', 'organizationIdentifier'],
    ['organizationName', 'organizationName'],
    ['title', 'title'],
  ] as const)('of a legal representative without %s is an error value', (field, attribute) => {
    const profile = holderProfile('LEGAL_REPRESENTATIVE', 'TRADITIONAL_SIGNATURE');
    expect(holderSubject(profile, makeHolder({ [field]: ' ' }), 'VATEC')).toEqual({
      ok: false,
      error: { code: 'SUBJECT_INCOMPLETE', attribute },
    });
  });

  it('says which long attributes were cut', () => {
    const profile = holderProfile('LEGAL_REPRESENTATIVE', 'TRADITIONAL_SIGNATURE');
    const holder = makeHolder({ organizationName: 'Compañía '.repeat(20), givenNames: 'ANA '.repeat(20) });
    const result = holderSubject(profile, holder, 'VATEC');
    expect(result).toMatchObject({
      ok: true,
      value: { truncated: ['organizationName', 'givenName', 'commonName'] },
    });
  });

  it.each([
    ['ruc', '1'.repeat(65), 'organizationIdentifier'],
    ['identificationNumber', '1'.repeat(65), 'serialNumber'],
    ['identificationNumber', '17ñ0034065', 'serialNumber'],
    ['countryCode', 'ECU', 'countryName'],
  ] as const)('with %s "%s" is an error value: identifiers are never cut', (field, value, attribute) => {
    const profile = holderProfile('LEGAL_REPRESENTATIVE', 'TRADITIONAL_SIGNATURE');
    expect(holderSubject(profile, makeHolder({ [field]: value }), 'VATEC')).toEqual({
      ok: false,
      error: { code: 'SUBJECT_INCOMPLETE', attribute },
    });
  });

  it('is composed, so that one name has one spelling', () => {
    const profile = holderProfile('NATURAL_PERSON', 'TRADITIONAL_SIGNATURE');
    const decomposed = makeHolder({ surnames: ' N\u0303U\u0301N\u0303EZ  PAZMIN\u0303O' });
    expect(holderSubject(profile, decomposed, 'VATEC')).toEqual(
      holderSubject(profile, makeHolder(), 'VATEC'),
    );
  });
});
