import { describe, expect, it } from 'vitest';
import { makeSubscriber } from '../../test/fixtures.ts';
import { subscriberSubject } from './subject.ts';
import { subscriberProfile } from './subscriber-profiles.ts';

const asText = (result: ReturnType<typeof subscriberSubject>) =>
  result.ok ? result.value.attributes.map(({ type, value }) => `${type}=${value}`) : result.error;

describe('subject of a subscriber', () => {
  it('of a natural person names the person and leaves tax number and organization out', () => {
    const profile = subscriberProfile('NATURAL_PERSON', 'TRADITIONAL_SIGNATURE');
    expect(asText(subscriberSubject(profile, makeSubscriber(), 'VATEC'))).toEqual([
      'countryName=EC',
      'localityName=Quito',
      'surname=ÑÚÑEZ PAZMIÑO',
      'givenName=MARÍA JOSÉ',
      'serialNumber=IDCEC-1710034065',
      'commonName=MARÍA JOSÉ ÑÚÑEZ PAZMIÑO',
    ]);
  });

  it('of a natural person with RUC carries it under the configured prefix', () => {
    const profile = subscriberProfile('NATURAL_PERSON_WITH_RUC', 'TRADITIONAL_SIGNATURE');
    expect(asText(subscriberSubject(profile, makeSubscriber(), 'TINEC'))).toContain(
      'organizationIdentifier=TINEC-1790012345001',
    );
  });

  it('of a legal representative carries organization and title', () => {
    const profile = subscriberProfile('LEGAL_REPRESENTATIVE', 'TRADITIONAL_SIGNATURE');
    const attributes = asText(subscriberSubject(profile, makeSubscriber(), 'VATEC'));
    expect(attributes).toContain('organizationName=Compañía de Pruebas S.A.');
    expect(attributes).toContain('title=Gerente General');
  });

  it('does without a locality', () => {
    const profile = subscriberProfile('NATURAL_PERSON', 'TRADITIONAL_SIGNATURE');
    const result = subscriberSubject(profile, makeSubscriber({ locality: undefined }), 'VATEC');
    expect(result).toMatchObject({ ok: true });
    expect(asText(result)).not.toContainEqual(expect.stringMatching(/^localityName/));
  });

  it('does without a locality of which nothing but a sign is known', () => {
    const profile = subscriberProfile('NATURAL_PERSON', 'TRADITIONAL_SIGNATURE');
    expect(asText(subscriberSubject(profile, makeSubscriber({ locality: '-' }), 'VATEC'))).toEqual(
      asText(subscriberSubject(profile, makeSubscriber({ locality: undefined }), 'VATEC')),
    );
  });

  it.each(['-', '.', '---', '( )', '🙂', '\u200b', '\u3164'])(
    'takes a second surname of %j for none, as the identity fields do',
    (secondSurname) => {
      const profile = subscriberProfile('NATURAL_PERSON', 'TRADITIONAL_SIGNATURE');
      const without = makeSubscriber({ secondSurname: undefined });
      expect(asText(subscriberSubject(profile, makeSubscriber({ secondSurname }), 'VATEC'))).toEqual(
        asText(subscriberSubject(profile, without, 'VATEC')),
      );
    },
  );

  it('does not take a second surname for the first', () => {
    const profile = subscriberProfile('NATURAL_PERSON', 'TRADITIONAL_SIGNATURE');
    expect(subscriberSubject(profile, makeSubscriber({ firstSurname: '-' }), 'VATEC')).toEqual({
      ok: false,
      error: { code: 'SUBJECT_INCOMPLETE', attribute: 'surname' },
    });
  });

  it('of a person named by a sign is an error value', () => {
    const profile = subscriberProfile('NATURAL_PERSON', 'TRADITIONAL_SIGNATURE');
    expect(
      subscriberSubject(profile, makeSubscriber({ firstSurname: '.', secondSurname: undefined }), 'VATEC'),
    ).toMatchObject({
      error: { code: 'SUBJECT_INCOMPLETE', attribute: 'surname' },
    });
  });

  it.each([
    ['ruc', 'organizationIdentifier'],
    ['organizationName', 'organizationName'],
    ['title', 'title'],
  ] as const)('of a legal representative without %s is an error value', (field, attribute) => {
    const profile = subscriberProfile('LEGAL_REPRESENTATIVE', 'TRADITIONAL_SIGNATURE');
    expect(subscriberSubject(profile, makeSubscriber({ [field]: ' ' }), 'VATEC')).toEqual({
      ok: false,
      error: { code: 'SUBJECT_INCOMPLETE', attribute },
    });
  });

  it('says which long attributes were cut', () => {
    const profile = subscriberProfile('LEGAL_REPRESENTATIVE', 'TRADITIONAL_SIGNATURE');
    const subscriber = makeSubscriber({
      organizationName: 'Compañía '.repeat(20),
      givenNames: 'ANA '.repeat(60),
    });
    const result = subscriberSubject(profile, subscriber, 'VATEC');
    expect(result).toMatchObject({
      ok: true,
      value: { truncated: ['organizationName', 'givenName', 'commonName'] },
    });
  });

  it('keeps surnames and given names of 100 letters each whole, and cuts the common name alone', () => {
    const profile = subscriberProfile('NATURAL_PERSON', 'TRADITIONAL_SIGNATURE');
    const [given, surname] = [
      `${'Ñ'.repeat(100)} ${'É'.repeat(100)}`,
      `${'Á'.repeat(100)} ${'Ü'.repeat(100)}`,
    ];
    const result = subscriberSubject(
      profile,
      makeSubscriber({ givenNames: given, firstSurname: 'Á'.repeat(100), secondSurname: 'Ü'.repeat(100) }),
      'VATEC',
    );
    expect(result).toMatchObject({ ok: true, value: { truncated: ['commonName'] } });
    expect(asText(result)).toEqual(
      expect.arrayContaining([`surname=${surname}`, `givenName=${given}`, `commonName=${'Á'.repeat(64)}`]),
    );
  });

  it.each([
    ['ruc', '1'.repeat(65), 'organizationIdentifier'],
    ['identificationNumber', '1'.repeat(65), 'serialNumber'],
    ['identificationNumber', '17ñ0034065', 'serialNumber'],
    ['countryCode', 'ECU', 'countryName'],
  ] as const)('with %s "%s" is an error value: identifiers are never cut', (field, value, attribute) => {
    const profile = subscriberProfile('LEGAL_REPRESENTATIVE', 'TRADITIONAL_SIGNATURE');
    expect(subscriberSubject(profile, makeSubscriber({ [field]: value }), 'VATEC')).toEqual({
      ok: false,
      error: { code: 'SUBJECT_INCOMPLETE', attribute },
    });
  });

  it('is composed, so that one name has one spelling', () => {
    const profile = subscriberProfile('NATURAL_PERSON', 'TRADITIONAL_SIGNATURE');
    const decomposed = makeSubscriber({
      firstSurname: ' N\u0303U\u0301N\u0303EZ ',
      secondSurname: ' PAZMIN\u0303O',
    });
    expect(subscriberSubject(profile, decomposed, 'VATEC')).toEqual(
      subscriberSubject(profile, makeSubscriber(), 'VATEC'),
    );
  });
});
