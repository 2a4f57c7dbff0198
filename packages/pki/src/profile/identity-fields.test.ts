import { describe, expect, it } from 'vitest';
import { makeSubscriber, publication } from '../../test/fixtures.ts';
import { identityExtensions, identityOtherNames } from '../certificate/identity-fields.ts';
import { type IdentityFieldSettings, identityFields } from './identity-fields.ts';
import { subscriberProfile } from './subscriber-profiles.ts';

const fieldsOf = (
  person: Parameters<typeof subscriberProfile>[0],
  named: IdentityFieldSettings['named'] = [],
  subscriber = makeSubscriber(),
) =>
  identityFields(subscriberProfile(person, 'TRADITIONAL_SIGNATURE'), subscriber, named).map(
    ({ name, value }) => `${name}=${value}`,
  );

const person = ['identificationNumber=1710034065', 'givenNames=MARÍA JOSÉ', 'firstSurname=ÑÚÑEZ'];

describe('identity fields', () => {
  it('of a natural person are number, names, city and country', () => {
    expect(fieldsOf('NATURAL_PERSON')).toEqual([
      ...person,
      'secondSurname=PAZMIÑO',
      'city=Quito',
      'country=ECUADOR',
    ]);
  });

  it('of a natural person with RUC have it too', () => {
    expect(fieldsOf('NATURAL_PERSON_WITH_RUC')).toContain('ruc=1790012345001');
  });

  it('of a legal representative have position and company', () => {
    expect(fieldsOf('LEGAL_REPRESENTATIVE')).toEqual([
      ...person,
      'secondSurname=PAZMIÑO',
      'position=Gerente General',
      'institution=Compañía de Pruebas S.A.',
      'city=Quito',
      'company=Compañía de Pruebas S.A.',
      'ruc=1790012345001',
      'country=ECUADOR',
    ]);
  });

  it('have address and phone where they are named, each alone', () => {
    expect(fieldsOf('NATURAL_PERSON', ['address'])).toContain('address=Av. Amazonas N21-147');
    expect(fieldsOf('NATURAL_PERSON', ['address']).join()).not.toContain('phone');
    expect(fieldsOf('NATURAL_PERSON', ['phone'])).toContain('phone=+593991234567');
  });

  it('are only those that are known', () => {
    const bare = makeSubscriber({ secondSurname: undefined, locality: '-', address: ' ', phone: undefined });
    expect(fieldsOf('NATURAL_PERSON', ['address', 'phone'], bare)).toEqual([...person, 'country=ECUADOR']);
  });

  it('keep a company’s name whole where the subject must cut it', () => {
    const organizationName = `${'Compañía '.repeat(20)}S.A.`;
    expect(fieldsOf('LEGAL_REPRESENTATIVE', [], makeSubscriber({ organizationName }))).toContain(
      `company=${organizationName}`,
    );
  });

  const settings = publication.identityFields;
  it('are, as extensions, a UTF8String each under its number, not critical', () => {
    const [number, surname] = identityExtensions(
      [
        { name: 'identificationNumber', value: '1710034065' },
        { name: 'firstSurname', value: 'ÑÚÑEZ' },
      ],
      settings,
    );
    expect(number).toMatchObject({ oid: '1.3.6.1.4.1.32473.1.3.1', critical: false });
    expect(Buffer.from(number?.value ?? []).toString('hex')).toBe('0c0a31373130303334303635');
    expect(surname).toMatchObject({ oid: '1.3.6.1.4.1.32473.1.3.3', critical: false });
    expect(Buffer.from(surname?.value ?? []).toString('hex')).toBe('0c08c391c39ac391455a');
  });

  it('are, as other names, type and UTF8String in their tags', () => {
    const [name] = identityOtherNames([{ name: 'country', value: 'ECUADOR' }], settings);
    expect(Buffer.from(name ?? []).toString('hex')).toBe(
      'a018060b2b0601040181fd5901030ca0090c0745435541444f52',
    );
  });
});
