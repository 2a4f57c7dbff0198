import { linkedPartnerShape } from '@rubrica/contracts/rest/linked-partner';
import { regularFileNames, regularShape } from '@rubrica/contracts/rest/regular';
import { simplifiedShape } from '@rubrica/contracts/rest/simplified';
import { transactionalShape } from '@rubrica/contracts/rest/transactional';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { familyPlans } from '../../request/family-plans.ts';
import type { Request } from '../../request/request.entity.ts';
import type { Fields } from '../rules.ts';

/** Fields of each family's registration; the steps of the API flow are not renewed. */
const familyFields: Readonly<Record<Family, readonly string[]>> = {
  TV: Object.keys(linkedPartnerShape),
  FR: Object.keys(regularShape),
  FT: Object.keys(transactionalShape),
  FS: Object.keys(simplifiedShape),
  API: [],
};

const common: readonly string[] = [
  'serialNumber',
  'referenceTransaction',
  'newReferenceTransaction',
  'supersede',
  'dryRun',
];

/** Other members of the bodies. */
const otherMembers: Readonly<Record<Family, readonly string[]>> = {
  TV: ['evidences', 'password'],
  FR: regularFileNames,
  FT: ['password'],
  FS: [],
  API: [],
};

/** Returns whether a fault is of a field that a renewal of the family has; the rest of a body is ignored. */
export function isRenewalField(family: Family, { field = '' }: Pick<ErrorDetail, 'field'>): boolean {
  const [name = ''] = field.split(/[.[]/);
  return [common, familyFields[family], otherMembers[family]].some((names) => names.includes(name));
}

/** Fields that stay, because they say who and what is certified. */
const fixed: readonly string[] = [
  'identificationNumber',
  'applicantName',
  'applicantLastName',
  'applicantSecondLastName',
  'documentType',
  'applicationType',
  'certificateType',
  'companyRuc',
];

export type MergedRequest = Pick<
  Request,
  | 'family'
  | 'identificationNumber'
  | 'applicationType'
  | 'certificateType'
  | 'period'
  | 'callbackUrl'
  | 'details'
>;

/** Builds the body of a registration of the former's family: its own data, replaced by those given. */
export function mergeFields(
  former: MergedRequest,
  given: Fields,
  referenceTransaction: string,
): Record<string, string | boolean> {
  const { family, details, identificationNumber, applicationType, certificateType, period } = former;
  const { callbackUrl } = former;
  const stored: Fields = {
    ...details,
    ...{ identificationNumber, applicationType, certificateType, period },
    ...(callbackUrl === null ? {} : { callbackUrl }),
  };
  const { canonicalNames } = familyPlans[family];
  const merged = familyFields[family].flatMap((name) => {
    const value = (fixed.includes(name) ? undefined : given[name]) ?? stored[canonicalNames[name] ?? name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(merged), referenceTransaction };
}
