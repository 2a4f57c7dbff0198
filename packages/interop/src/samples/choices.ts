import type {
  IdentityFieldSettings,
  KeyAlgorithm,
  PersonType,
  Pkcs12Encoding,
  SignatureType,
  Subscriber,
  ValidityPeriod,
} from '@rubrica/pki';

/** Differences between samples; all other values are the service's defaults. */
export interface Choice {
  readonly name: string;
  readonly person?: PersonType;
  readonly signature?: SignatureType;
  readonly period?: ValidityPeriod;
  readonly subscriber?: Partial<Subscriber>;
  readonly key?: KeyAlgorithm;
  readonly encoding?: Pkcs12Encoding;
  readonly password?: string;
  readonly status?: 'good' | 'revoked' | 'held';
  /** 1 if issued after the authority's rotation. */
  readonly authority?: 0 | 1;
  readonly documentSigning?: boolean;
  readonly form?: IdentityFieldSettings['form'];
}

export const arc = '1.3.6.1.4.1.32473.1.3';
export const person: Subscriber = {
  identificationNumber: '1710034065',
  givenNames: 'MARÍA JOSÉ',
  firstSurname: 'ÑÚÑEZ',
  secondSurname: "D'ÁVILA",
  countryCode: 'EC',
  locality: 'Quito',
  ruc: '1790012345001',
  organizationName: 'Compañía “Cacao & Café” del Ecuador S.A.',
  title: 'Gerente General',
};
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index)).join('');

export const choices: readonly Choice[] = [
  { name: 'natural' },
  { name: 'natural-legacy', encoding: 'legacy', period: 'ONE_MONTH' },
  { name: 'ruc', person: 'NATURAL_PERSON_WITH_RUC', period: 'TWO_YEARS' },
  { name: 'representative', person: 'LEGAL_REPRESENTATIVE', period: 'FOUR_YEARS' },
  {
    name: 'transactional',
    signature: 'TRANSACTIONAL_SIGNATURE',
    period: 'ONE_WEEK',
    password: printable.slice(0, 48),
  },
  {
    name: 'long-names',
    person: 'LEGAL_REPRESENTATIVE',
    period: 'THREE_YEARS',
    subscriber: {
      givenNames: `MARÍA DE LOS ÁNGELES ${'Ñ'.repeat(79)}`,
      firstSurname: `${'Á'.repeat(60)} ${"O'".repeat(19)}Ñ`,
      secondSurname: 'Ü'.repeat(100),
      organizationName: `${'Compañía '.repeat(27)}S.A.`,
    },
  },
  { name: 'one-surname', subscriber: { secondSurname: undefined }, password: printable.slice(-64) },
  { name: 'rsa-3072', key: 'RSA_3072', period: 'FIVE_YEARS' },
  { name: 'p-256', key: 'P_256' },
  { name: 'p-256-legacy', key: 'P_256', encoding: 'legacy' },
  { name: 'document-signing', documentSigning: true },
  { name: 'other-name', form: 'otherName' },
  { name: 'no-fields', form: 'none' },
  { name: 'rotated', authority: 1 },
  { name: 'revoked', status: 'revoked' },
  { name: 'held', status: 'held' },
];
