import { makeCedula } from './identity.ts';

/** The applicant as every family that sends one names the fields; somebody else each time. */
export const makeApplicant = () =>
  ({
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
  }) as const;
