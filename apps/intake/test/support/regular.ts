import { regularFiles } from '@rubrica/contracts/rest/regular';
import type * as evidenceContract from '@rubrica/contracts/services/schemas/evidence';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import { uuidv7 } from '@rubrica/process/time';
import { makeCedula, makeReference, makeRuc } from '@rubrica/testkit';
import { freshEvidence, freshRequestId } from './fresh-evidence.ts';

type Fields = Readonly<Record<string, string | boolean | undefined>>;
export type FilesGiven = Readonly<Record<string, string | null>>;
type Bundle = evidenceContract.EvidenceBundle;
type StoredFile = evidenceContract.StoredFile;

const own: Fields = {
  fingerCode: 'V4333V2222',
  emailAddress: 'jane@mail.com',
  cellphoneNumber: '+593991234567',
  province: 'Pichincha',
  city: 'Quito',
  address: 'Av. Amazonas',
  countryCode: 'ECU',
  documentType: 'CI',
  applicationType: 'NATURAL_PERSON',
  period: 'ONE_YEAR',
  callbackUrl: 'https://partner.example.org/hook',
};

/** What the identity images of anybody are. */
export const identity: FilesGiven = {
  identificationFront: 'image/png',
  identificationBack: 'image/jpeg',
  identificationSelfie: 'image/jpeg',
};

/** What a legal representative sends sideEffects. */
export function representative() {
  return {
    applicationType: 'LEGAL_REPRESENTATIVE',
    companyRuc: makeRuc(),
    positionCompany: 'Gerente General',
    companySocialReason: 'Comercial Ñandú S.A.',
    appointmentExpirationDate: '2045-12-31',
  };
}

export const companyAttachments: FilesGiven = {
  pdfCompanyRuc: 'application/pdf',
  pdfRepresentativeAppointment: 'application/pdf',
  pdfCompanyConstitution: 'application/pdf',
};

function given(fields: Fields) {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string | boolean] => entry[1] !== undefined),
  );
}

/**
 * One file for each field, as the gateway hands them on. All of them the same picture: files are judged by what they
 * hold, and the rules by the kind that is given here.
 */
export function bundleOf(requestId: string, files: FilesGiven): Bundle {
  const { key, items } = freshEvidence(requestId);
  return {
    key,
    items: Object.entries(files).map(([field, mediaType]) => ({
      evidenceId: uuidv7(),
      field,
      file: { ...(items[0]?.file as StoredFile), mediaType: mediaType ?? '' },
    })),
    errors: [],
  };
}

export function listOf(files: FilesGiven) {
  return Object.keys(regularFiles).flatMap((field) =>
    field in files ? [{ field, mediaType: files[field] ?? null }] : [],
  );
}

type RegularOptions = Partial<Omit<requestsContract.RegisterInput, 'files'>> & {
  readonly files?: FilesGiven;
};

/** `requests.register` of a regular request that is taken; an override of `undefined` leaves the field out. */
export function makeRegular(
  fields: Fields = {},
  { requestId = freshRequestId(), files = identity, ...rest }: RegularOptions = {},
): requestsContract.RegisterInput {
  return {
    requestId,
    family: 'FR',
    fields: given({
      identificationNumber: makeCedula(),
      referenceTransaction: makeReference(),
      ...own,
      ...fields,
    }),
    faults: [],
    evidence: bundleOf(requestId, files),
    ...rest,
    files: listOf(files),
  };
}

/** `requests.correct` of it. */
export function makeCorrection(
  requestId: string,
  {
    corrections = {},
    files = {},
    ...rest
  }: { corrections?: Fields; files?: FilesGiven; evidence?: Bundle } = {},
): requestsContract.CorrectInput {
  return {
    family: 'FR',
    requestId,
    corrections: given(corrections),
    faults: [],
    ...(Object.keys(files).length > 0 ? { evidence: bundleOf(requestId, files) } : {}),
    ...rest,
    files: listOf(files),
  };
}
