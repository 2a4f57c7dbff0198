import { describe, expect, it } from 'vitest';
import { makeOrder, type OrderOverrides } from '../../test/support/orders.ts';
import { planCertificate } from './plan-certificate.ts';

const rules = {
  now: new Date('2026-03-10T12:00:00.500Z'),
  timeZone: 'America/Guayaquil',
  issuerNotAfter: new Date('2030-01-01T00:00:00Z'),
  rucPrefix: 'VATEC',
  subjectEmail: true,
  privateFields: [] as ('address' | 'phone')[],
};

const plan = (overrides: OrderOverrides = {}, changed: Partial<typeof rules> = {}) =>
  planCertificate(makeOrder({ requestId: '0199aa00-0000-7000-8000-000000000001', attempt: 1 }, overrides), {
    ...rules,
    ...changed,
  });

const company = {
  companyRuc: '1790012345001',
  companySocialReason: 'Compañía S.A.',
  positionCompany: 'Gerente',
};

describe('the plan of a certificate', () => {
  it('takes the profile of a natural person, with RUC where there is one', () => {
    expect(plan().profile.person).toBe('NATURAL_PERSON');
    expect(plan({ subject: { companyRuc: '1710034065001' } }).profile.person).toBe('NATURAL_PERSON_WITH_RUC');
    expect(plan({ certificateType: 'TRANSACTIONAL_SIGNATURE', period: 'ONE_WEEK' }).profile.signature).toBe(
      'TRANSACTIONAL_SIGNATURE',
    );
  });

  it('takes the profile of a legal representative with organization and title', () => {
    const { profile, subject } = plan({ applicationType: 'LEGAL_REPRESENTATIVE', subject: company });
    expect(profile.person).toBe('LEGAL_REPRESENTATIVE');
    expect(subject).toContainEqual({ type: 'organizationName', value: 'Compañía S.A.' });
    expect(subject).toContainEqual({ type: 'title', value: 'Gerente' });
  });

  it('ends with the period, or with the issuer', () => {
    expect(plan({ period: 'TWO_YEARS' }).validity).toMatchObject({
      notBefore: new Date('2026-03-10T12:00:00Z'),
      notAfter: new Date('2028-03-10T11:59:59Z'),
      cappedBy: null,
    });
    expect(plan({ period: 'FIVE_YEARS' }).validity).toMatchObject({
      notAfter: rules.issuerNotAfter,
      cappedBy: 'ISSUER',
    });
  });

  it('ends with the appointment of a legal representative, and of nobody else', () => {
    const appointmentExpiresAt = '2026-06-30T04:59:59.999Z';
    const representative = { applicationType: 'LEGAL_REPRESENTATIVE', subject: company } as const;
    expect(plan({ ...representative, appointmentExpiresAt }).validity).toMatchObject({
      notAfter: new Date('2026-06-30T04:59:59Z'),
      requestedNotAfter: new Date('2027-03-10T11:59:59Z'),
      cappedBy: 'APPOINTMENT',
    });
    expect(plan({ appointmentExpiresAt }).validity).toMatchObject({ cappedBy: null });
  });

  it('says which names it had to cut, after a whole word', () => {
    const firstSurname = 'DE LA CRUZ '.repeat(9).trim();
    const { subject, truncated } = plan({ subject: { firstSurname, secondSurname: null } });
    expect(truncated).toEqual(['commonName']);
    expect(subject).toContainEqual({ type: 'surname', value: firstSurname });
    expect(subject).toContainEqual({ type: 'commonName', value: `${'DE LA CRUZ '.repeat(5)}DE LA` });
  });

  it('takes both surnames apart, and address and phone where they are named', () => {
    const known = { address: 'Av. Amazonas N21-147', phone: '+593991234567' };
    const named = plan({ subject: known }, { privateFields: ['address', 'phone'] }).identityFields;
    expect(named).toContainEqual({ name: 'firstSurname', value: 'ÑÚÑEZ' });
    expect(named).toContainEqual({ name: 'secondSurname', value: 'PAZMIÑO' });
    expect(named).toContainEqual({ name: 'address', value: known.address });
    expect(named).toContainEqual({ name: 'phone', value: known.phone });
    const unnamed = plan({ subject: known }).identityFields.map(({ name }) => name);
    expect(unnamed).not.toContain('address');
    expect(unnamed).not.toContain('phone');
  });

  it('takes the prefix of tax numbers from the operator', () => {
    const { subject } = plan({ subject: { companyRuc: '1710034065001' } }, { rucPrefix: 'TINEC' });
    expect(subject).toContainEqual({ type: 'organizationIdentifier', value: 'TINEC-1710034065001' });
  });

  it('leaves out an e-mail address that a certificate cannot hold, or that the operator does not want', () => {
    expect(plan().email).toBe('maria@example.test');
    expect(plan({ subject: { email: 'maría@example.test' } }).email).toBeUndefined();
    expect(plan({ subject: { email: null } }).email).toBeUndefined();
    expect(plan({}, { subjectEmail: false }).email).toBeUndefined();
  });

  it.each([
    ['CERTIFICATE_LINT_FAILED', { applicationType: 'LEGAL_REPRESENTATIVE' }],
    ['CERTIFICATE_LINT_FAILED', { subject: { firstSurname: '', secondSurname: null } }],
    [
      'APPOINTMENT_EXPIRED',
      {
        applicationType: 'LEGAL_REPRESENTATIVE',
        subject: company,
        appointmentExpiresAt: '2026-03-10T12:00:00Z',
      },
    ],
  ] as [string, OrderOverrides][])(
    'fails with %s for an order without a certificate in it (%#)',
    (code, order) => {
      expect(() => plan(order)).toThrow(expect.objectContaining({ name: 'IssuanceFailed', code }));
    },
  );

  it('fails when the issuer has ended', () => {
    expect(() => plan({}, { issuerNotAfter: new Date('2026-03-10T12:00:00Z') })).toThrow(
      'CERTIFICATE_SIGNING_FAILED',
    );
  });
});
