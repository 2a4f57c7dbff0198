import { randomUUID } from 'node:crypto';

/** Creates your own reference, the key of the request. Store it before you register, not after. */
export const makeReference = () => `EXAMPLE-${randomUUID()}`;

export const person = {
  identificationNumber: '2450010000',
  applicantName: 'María José',
  applicantLastName: 'Ñúñez',
  applicantSecondLastName: 'Pazmiño',
  fingerCode: 'V4333V2222',
  email: 'maria@example.com',
  cellphoneNumber: '+593991234567',
  city: 'Quito',
  address: 'Av. Amazonas N21-147',
  documentType: 'CI',
  applicationType: 'NATURAL_PERSON',
} as const;

/** Smallest possible picture; yours are photographs. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);
