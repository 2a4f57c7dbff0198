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
import { allowedPeriods, familyKinds } from '@rubrica/contracts/shared/families';
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

/** Creates a row. All values are active: the enumerations have no retired value. */
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

/** Creates rows for the values of one enumeration; `names` contains all of them. */
function createItems<Value extends string>(values: readonly Value[], names: Readonly<Record<Value, Names>>) {
  return (language: Language, place: Place = {}): ReferenceItem[] =>
    values.map((value) => item(value, names[value][language], place));
}

function inEachFamily(rowsOf: (family: Family) => readonly ReferenceItem[]): readonly ReferenceItem[] {
  return families.flatMap(rowsOf);
}

function periodRows(language: Language) {
  return inEachFamily((family) =>
    familyKinds[family].certificateTypes.flatMap((parentCode) =>
      createItems(allowedPeriods[parentCode], periodNames)(language, { parentCode, family }),
    ),
  );
}

function typeRows(language: Language) {
  return inEachFamily((family) => {
    const { applicationTypes, certificateTypes } = familyKinds[family];
    const kinds = createItems(certificateTypes, certificateTypeNames);
    return [
      ...createItems(applicationTypes, applicationTypeNames)(language, {
        parentCode: 'APPLICATION_TYPE',
        family,
      }),
      ...kinds(language, { parentCode: 'CERTIFICATE_TYPE', family }),
      ...createItems(documentTypes, documentTypeNames)(language, { parentCode: 'DOCUMENT_TYPE', family }),
      // Requests of a family accept the terms of their own type of certificate.
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

/** Rows of each list, created from the values that the validators accept; a list without rows does not compile. */
export const referenceRows: Readonly<Record<ReferenceOperationId, Rows>> = {
  listProvinces: () => provinces.map(({ code, name }) => item(code, name)),
  listCities: () =>
    cantons.map(({ code, name, provinceCode }) => item(code, name, { parentCode: provinceCode })),
  listPeriods: periodRows,
  // One table of states serves all families.
  listStates: (language) => [
    ...createItems(statuses, statusNames)(language, { parentCode: 'STATUS' }),
    ...createItems(validationStatuses, validationStatusNames)(language, { parentCode: 'VALIDATION_STATUS' }),
  ],
  listTypes: typeRows,
  listEvidenceTypes: (language) => createItems(evidenceTypes, evidenceTypeNames)(language, { family: 'TV' }),
  listValidationErrorCodes: errorRows,
};
