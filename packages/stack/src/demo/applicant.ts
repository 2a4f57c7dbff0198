import { randomInt } from 'node:crypto';
import type { Rubrica } from '@rubrica/sdk';

/** Body of a linked partner's registration. */
export type Applicant = Parameters<Rubrica['linkedPartner']['register']>[0];

/** Creates the request of an invented person with a valid cédula, as the back end of a partner would send it. */
export function createApplicant(callbackUrl: string): Applicant {
  return {
    identificationNumber: makeCedula(),
    applicantName: 'MARÍA JOSÉ',
    applicantLastName: 'ÑÚÑEZ',
    applicantSecondLastName: 'PAZMIÑO',
    fingerCode: 'V4333V2222',
    email: 'maria.nunez@example.com',
    cellphoneNumber: '+593991234567',
    city: 'Quito',
    address: 'Av. Amazonas N34-451 y Av. Atahualpa',
    documentType: 'CI',
    applicationType: 'NATURAL_PERSON',
    referenceTransaction: `DEMO-${Date.now().toString(36).toUpperCase()}`,
    period: 'ONE_YEAR',
    certificateType: 'TRADITIONAL_SIGNATURE',
    evidences: [{ evidenceFile: samplePng, validatorUrl: 'https://partner.example/validations/1' }],
    password: `Galapagos-${randomInt(1_000, 10_000)}-piqueros`,
    callbackUrl,
  };
}

/**
 * Generates a cédula of province 17 (Pichincha) with its modulus-10 check digit. Numbers of province 24, which
 * determine outcomes in the sandbox, are excluded.
 */
function makeCedula(): string {
  const digits = [1, 7, ...Array.from({ length: 7 }, (_, index) => randomInt(0, index === 0 ? 6 : 10))];
  const sum = digits.reduce((total, digit, index) => {
    const weighed = index % 2 === 0 ? digit * 2 : digit;
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return [...digits, (10 - (sum % 10)) % 10].join('');
}

/** Smallest complete PNG: one grey pixel. */
const samplePng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';
