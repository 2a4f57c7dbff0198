import type * as issuanceContract from '@rubrica/contracts/services/schemas/issuance';

export type Order = issuanceContract.IssuanceOrder;
/** Of all orders here, unless they say otherwise. */
export const partnerId = '0197a000-0000-7000-8000-0000000000aa';
export type OrderOverrides = Partial<Omit<Order, 'subject'>> & { subject?: Partial<Order['subject']> };

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
