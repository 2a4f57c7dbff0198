import type {
  ReferenceErrorCode,
  ReferenceItem,
  ReferenceOperationId,
} from '@rubrica/contracts/rest/reference';
import {
  documentTypes,
  evidenceTypes,
  type Family,
  families,
  statuses,
  validationStatuses,
} from '@rubrica/contracts/shared/enumerations';
import { errorCatalogue, errorCodes } from '@rubrica/contracts/shared/errors';
import { familyKinds, periodsOf } from '@rubrica/contracts/shared/families';
import {
  applicationTypeNames,
  certificateTypeNames,
  documentTypeNames,
  evidenceTypeNames,
  type Names,
  periodNames,
  statusNames,
  validationStatusNames,
} from '@rubrica/contracts/shared/names';
import { cantons, provinces } from '@rubrica/ecuador';
import type { Language } from './meanings/meaning.ts';

type Place = Partial<Pick<ReferenceItem, 'parentCode' | 'family'>>;

/** All values are in use: the enumerations have no retired one. */
function item(code: string, name: string, { parentCode = null, family = null }: Place = {}): ReferenceItem {
  return {
    code,
    name,
    parentCode,
    family,
    active: true,
  };
}

type Rows = (language: Language) => readonly (ReferenceItem | ReferenceErrorCode)[];

/** Rows of the values of one enumeration, which `names` holds all of. */
function itemsOf<Value extends string>(values: readonly Value[], names: Readonly<Record<Value, Names>>) {
  return (language: Language, place: Place = {}): ReferenceItem[] =>
    values.map((value) => item(value, names[value][language], place));
}

function inEachFamily(rowsOf: (family: Family) => readonly ReferenceItem[]): readonly ReferenceItem[] {
  return families.flatMap(rowsOf);
}

function periodRows(language: Language) {
  return inEachFamily((family) =>
    familyKinds[family].certificateTypes.flatMap((parentCode) =>
      itemsOf(periodsOf[parentCode], periodNames)(language, { parentCode, family }),
    ),
  );
}

function typeRows(language: Language) {
  return inEachFamily((family) => {
    const { applicationTypes, certificateTypes } = familyKinds[family];
    const kinds = itemsOf(certificateTypes, certificateTypeNames);
    return [
      ...itemsOf(applicationTypes, applicationTypeNames)(language, {
        parentCode: 'APPLICATION_TYPE',
        family,
      }),
      ...kinds(language, { parentCode: 'CERTIFICATE_TYPE', family }),
      ...itemsOf(documentTypes, documentTypeNames)(language, { parentCode: 'DOCUMENT_TYPE', family }),
      // A family's requests accept the terms of their own kind of certificate.
      ...kinds(language, { parentCode: 'TERMS_TYPE', family }),
    ];
  });
}

function errorRows(language: Language): ReferenceErrorCode[] {
  return errorCodes.map((code) => {
    const { correctable, retryable, ...names } = errorCatalogue[code];
    return { ...item(code, names[language]), code, correctable, retryable };
  });
}

/** The rows of each list, made from what the validators accept; a list without rows does not compile. */
export const referenceRows: Readonly<Record<ReferenceOperationId, Rows>> = {
  listProvinces: () => provinces.map(({ code, name }) => item(code, name)),
  listCities: () =>
    cantons.map(({ code, name, provinceCode }) => item(code, name, { parentCode: provinceCode })),
  listPeriods: periodRows,
  // One table of states serves all families.
  listStates: (language) => [
    ...itemsOf(statuses, statusNames)(language, { parentCode: 'STATUS' }),
    ...itemsOf(validationStatuses, validationStatusNames)(language, { parentCode: 'VALIDATION_STATUS' }),
  ],
  listTypes: typeRows,
  listEvidenceTypes: (language) => itemsOf(evidenceTypes, evidenceTypeNames)(language, { family: 'TV' }),
  listValidationErrorCodes: errorRows,
};
