import { makeCedula } from './identity.ts';

/** Creates an applicant with the field names of every family that has one; the cédula differs each time. */
export function makeApplicant() {
  return {
    identificationNumber: makeCedula(),
    applicantName: 'María José',
    applicantLastName: 'Ñúñez',
    applicantSecondLastName: 'Pazmiño',
    fingerCode: 'V4333V2222',
    email: 'maria.nunez@example.com',
    cellphoneNumber: '+593991234567',
    city: 'Quito',
    address: 'Av. Amazonas N34-451 y Av. Atahualpa',
    documentType: 'CI',
    applicationType: 'NATURAL_PERSON',
  } as const;
}
