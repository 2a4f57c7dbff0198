import { createHash } from 'node:crypto';
import type * as issuanceContract from '@rubrica/contracts/services/schemas/issuance';
import * as orderContract from '@rubrica/contracts/services/schemas/order-statement';
import type { Keyring } from '@rubrica/process/keyring';

export type Order = issuanceContract.IssuanceOrder;
/** Of all orders here, unless they say otherwise. */
export const partnerId = '0197a000-0000-7000-8000-0000000000aa';
export type OrderOverrides = Partial<Omit<Order, 'subject'>> & { subject?: Partial<Order['subject']> };

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The statement that intake signs of an order. @param changes claims that differ from the order */
export function signOrder(
  { subject, sealedPassword, hasWebhook, statement: _none, ...order }: Order,
  keyring: Pick<Keyring, 'signStatement'>,
  changes: object = {},
): string {
  return keyring.signStatement(orderContract.orderStatementType, {
    aud: 'generation',
    iat: Math.floor(Date.now() / 1_000),
    ...order,
    subjectSha256: sha256(orderContract.subjectText(subject)),
    passwordSha256: sealedPassword === null ? null : sha256(sealedPassword),
    callbackSha256: hasWebhook ? sha256('https://partner.example/hook') : null,
    checks: ['FILES', 'IDENTITY'],
    approvals: [],
    ...changes,
  });
}

/** What intake would answer for one attempt. */
export function makeOrder(
  job: { requestId: string; attempt: number },
  { subject, ...overrides }: OrderOverrides = {},
): Order {
  return {
    ...job,
    partnerId,
    applicationType: 'NATURAL_PERSON',
    certificateType: 'TRADITIONAL_SIGNATURE',
    period: 'ONE_YEAR',
    appointmentExpiresAt: null,
    sealedPassword: null,
    passwordOrigin: 'SERVICE',
    legacyPkcs12: false,
    keyType: 'RSA-2048',
    hasWebhook: true,
    isRetrieved: false,
    ...overrides,
    subject: {
      identificationNumber: '1710034065',
      givenName: 'MARÍA JOSÉ',
      firstSurname: 'ÑÚÑEZ',
      secondSurname: 'PAZMIÑO',
      email: 'maria@example.test',
      address: null,
      phone: null,
      city: 'Quito',
      countryCode: 'EC',
      companyRuc: null,
      companySocialReason: null,
      positionCompany: null,
      ...subject,
    },
  };
}
