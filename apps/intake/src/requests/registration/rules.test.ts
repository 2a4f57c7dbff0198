import { applicationTypes, certificateTypes, periods } from '@rubrica/contracts/shared/enumerations';
import { allowedApplicationTypes, allowedPeriods } from '@rubrica/contracts/shared/families';
import { makeCedula } from '@rubrica/ecuador';
import { errorDetail } from '@rubrica/process/errors';
import { describe, expect, it } from 'vitest';
import { checkBody, checkCorrections } from './family-rules.ts';
import type { Fields, RuleContext } from './rules.ts';

function context(overrides: Partial<RuleContext> = {}): RuleContext {
  return {
    now: new Date('2026-11-21T12:00:00Z'),
    timeZone: 'America/Guayaquil',
    passwordConfiguration: 'PARTNER',
    passwordGiven: true,
    allowLoopbackCallback: false,
    files: new Map(),
    ...overrides,
  };
}

function makeFields(overrides: Record<string, string | undefined> = {}): Fields {
  return Object.fromEntries(
    Object.entries({
      identificationNumber: makeCedula(1),
      fingerCode: 'V4333V2222',
      cellphoneNumber: '+593991234567',
      applicationType: 'NATURAL_PERSON',
      certificateType: 'TRADITIONAL_SIGNATURE',
      period: 'FOUR_YEARS',
      callbackUrl: 'https://partner.example.com/hook',
      ...overrides,
    }).filter(([, value]) => value !== undefined),
  ) as Fields;
}

function codes(fields: Fields, overrides: Partial<RuleContext> = {}) {
  return checkBody('TV', { fields, found: [], context: context(overrides) }).map(
    ({ code, field }) => `${code} ${field}`,
  );
}

describe('a linked-partner body', () => {
  it('passes when every rule holds', () => {
    expect(codes(makeFields())).toEqual([]);
  });

  it('names every missing company field of a legal representative', () => {
    expect(
      codes(makeFields({ applicationType: 'LEGAL_REPRESENTATIVE', positionCompany: 'Gerente' })),
    ).toEqual([
      'COMPANY_DATA_REQUIRED companyRuc',
      'COMPANY_DATA_REQUIRED companySocialReason',
      'COMPANY_DATA_REQUIRED expirationDateAppointment',
    ]);
  });

  it('takes of periods and applicants what the reference lists show, and nothing else', () => {
    const company = {
      companyRuc: '1793213150001',
      positionCompany: 'Gerente',
      companySocialReason: 'ACME',
      expirationDateAppointment: '2030-01-01',
    };
    for (const certificateType of certificateTypes) {
      for (const period of [...periods, 'one_week', 'SIX_YEARS']) {
        const listed = allowedPeriods[certificateType].some((one) => one === period);
        expect(codes(makeFields({ certificateType, period })), `${certificateType} ${period}`).toEqual(
          listed ? [] : ['INVALID_PERIOD period'],
        );
      }
      for (const applicationType of [...applicationTypes, 'natural_person', 'COMPANY']) {
        const listed = allowedApplicationTypes[certificateType].some((one) => one === applicationType);
        const fields = makeFields({ certificateType, applicationType, period: 'ONE_WEEK', ...company });
        expect(codes(fields), `${certificateType} ${applicationType}`).toEqual(
          listed ? [] : ['INVALID_APPLICATION_TYPE applicationType'],
        );
      }
    }
  });

  it('takes no legal representative for a transactional signature', () => {
    const fields = makeFields({
      certificateType: 'TRANSACTIONAL_SIGNATURE',
      applicationType: 'LEGAL_REPRESENTATIVE',
      period: undefined,
    });
    expect(codes(fields)).toEqual(['INVALID_APPLICATION_TYPE applicationType']);
  });

  it.each([
    ['TRANSACTIONAL_SIGNATURE', undefined, []],
    ['TRANSACTIONAL_SIGNATURE', 'ONE_WEEK', []],
    ['TRANSACTIONAL_SIGNATURE', 'ONE_YEAR', ['INVALID_PERIOD period']],
    ['TRADITIONAL_SIGNATURE', undefined, ['FIELD_REQUIRED period']],
    ['TRADITIONAL_SIGNATURE', 'ONE_WEEK', []],
  ])('with %s and period %s is answered with %j', (certificateType, period, expected) => {
    expect(codes(makeFields({ certificateType, period }))).toEqual(expected);
  });

  it.each([
    ['TRADITIONAL_SIGNATURE', 'PARTNER', ['PASSWORD_REQUIRED password']],
    ['TRADITIONAL_SIGNATURE', 'ONE_TIME_PASSWORD', []],
    ['TRANSACTIONAL_SIGNATURE', 'PARTNER', []],
  ] as const)(
    'without a password, %s and %s, is answered with %j',
    (certificateType, passwordConfiguration, expected) => {
      const fields = makeFields({ certificateType, period: 'ONE_WEEK' });
      expect(codes(fields, { passwordGiven: false, passwordConfiguration })).toEqual(expected);
    },
  );

  it('reports the faults of all fields together', () => {
    const fields = makeFields({
      identificationNumber: '2450000101',
      fingerCode: 'ABC',
      cellphoneNumber: '0991234567',
      companyRuc: '123',
      expirationDateAppointment: '2026-02-30',
      callbackUrl: 'http://partner.example.com',
    });
    expect(codes(fields, { passwordGiven: false })).toEqual([
      'IDENTIFICATION_NUMBER_INVALID identificationNumber',
      'FIELD_INVALID fingerCode',
      'FIELD_INVALID cellphoneNumber',
      'RUC_INVALID companyRuc',
      'CALLBACK_URL_NOT_ALLOWED callbackUrl',
      'FIELD_INVALID expirationDateAppointment',
      'PASSWORD_REQUIRED password',
    ]);
  });

  it('does not report a field twice that was found at fault before', () => {
    const found = [errorDetail('INVALID_PERIOD', 'period')];
    expect(checkBody('TV', { fields: makeFields({ period: undefined }), found, context: context() })).toEqual(
      found,
    );
  });

  it.each([
    ['2026-11-21', []],
    ['2026-11-20', ['APPOINTMENT_EXPIRED expirationDateAppointment']],
    ['2026-11-21 06:59:59', ['APPOINTMENT_EXPIRED expirationDateAppointment']],
    ['2026-11-21 07:00:01', []],
    ['2026-11-21T12:00:01Z', []],
  ])(
    'with an appointment to %s is answered with %j at noon UTC, 7 in Guayaquil',
    (expirationDateAppointment, expected) => {
      expect(codes(makeFields({ expirationDateAppointment }))).toEqual(expected);
    },
  );
});

describe('a companyRuc', () => {
  it.each([
    ['123', 'it must have 13 digits'],
    ['9993213150001', 'its first two digits must be a province, 01 to 24 or 30'],
    ['1783213150001', 'its third digit must be 0 to 6 or 9'],
    ['1710034066001', 'its first ten digits are no cédula, the check digit does not match'],
    ['1793213150000', 'its establishment, the last three digits (four of a public body), must not be zero'],
  ])('%s is told which rule fails: %s', (companyRuc, rule) => {
    const found = checkBody('TV', { fields: makeFields({ companyRuc }), found: [], context: context() });
    expect(found.map(({ message }) => message)).toEqual([
      `companyRuc "${companyRuc}" is not a valid RUC: ${rule}`,
    ]);
  });
});

describe('a callbackUrl', () => {
  const refused = 'CALLBACK_URL_NOT_ALLOWED callbackUrl';
  const notPublic = 'must be a public https address without user or password';
  const ports = (given: string) =>
    `must use port 443, or one from 1024 on that no database, broker or other service uses; ${given} is not allowed`;
  it.each([
    'http://partner.example.com/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://localhost./',
    'https://user:secret@partner.example.com/',
    'https://intranet/',
    'https://vault.internal/',
  ])('%s is refused', (callbackUrl) => {
    expect(codes(makeFields({ callbackUrl }))).toEqual([refused]);
  });

  it.each([
    ['https://partner.example.com:0/hook', 'must have a port other than 0'],
    ['https://partner.example.com./hook', 'must not have a dot at the end of its host'],
    ['https://partner.example.com.:8443/hook', 'must not have a dot at the end of its host'],
    ['https://partner.example.com:22/', ports('22')],
    ['https://partner.example.com:80/', ports('80')],
    ['https://partner.example.com:6379/', ports('6379')],
    ['https://partner..example.com/', notPublic],
    [`https://${'a'.repeat(64)}.example.com/`, notPublic],
    [`https://${'a.'.repeat(127)}com/`, notPublic],
    ['https://168.63.129.16/', notPublic],
    ['https://192.31.196.7/', notPublic],
    ['https://192.52.193.7/', notPublic],
    ['https://192.175.48.7/', notPublic],
    ['https://[3fff::7]/', notPublic],
    ['https://[2001:20::7]/', notPublic],
  ])('%s, to which the notifier would send nothing, is refused', (callbackUrl, expectation) => {
    const found = checkBody('TV', { fields: makeFields({ callbackUrl }), found: [], context: context() });
    expect(found).toMatchObject([
      { code: 'CALLBACK_URL_NOT_ALLOWED', field: 'callbackUrl', message: `callbackUrl ${expectation}` },
    ]);
  });

  it.each([
    'https://partner.example.com:443/',
    'https://partner.example.com:8443/hook',
    'https://partner.example.com:1024/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]:9443/',
  ])('%s is taken', (callbackUrl) => {
    expect(codes(makeFields({ callbackUrl }))).toEqual([]);
  });

  it('on this machine has any port but 0, where configuration allows it', () => {
    const judged = (callbackUrl: string) =>
      codes(makeFields({ callbackUrl }), { allowLoopbackCallback: true });
    expect(judged('http://127.0.0.1:81/')).toEqual([]);
    expect(judged('http://127.0.0.1:0/')).toEqual([refused]);
    expect(judged('http://localhost.:9000/')).toEqual([refused]);
  });

  it('on this machine is taken only where configuration allows it', () => {
    const fields = makeFields({ callbackUrl: 'http://127.0.0.1:9000/hook' });
    expect(codes(fields)).toEqual([refused]);
    expect(codes(fields, { allowLoopbackCallback: true })).toEqual([]);
  });

  it('elsewhere in a private network is refused even where loopback is allowed', () => {
    expect(codes(makeFields({ callbackUrl: 'http://10.0.0.1/' }), { allowLoopbackCallback: true })).toEqual([
      refused,
    ]);
  });
});

describe('a correction', () => {
  it('passes the same field checks as a registration', () => {
    const found = checkCorrections({
      fields: { fingerCode: 'nope', cellphoneNumber: '12' },
      found: [],
      context: context(),
    });
    expect(found.map(({ field }) => field)).toEqual(['fingerCode', 'cellphoneNumber']);
  });
});
