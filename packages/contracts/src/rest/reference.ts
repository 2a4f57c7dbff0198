import { z } from 'zod';
import { familySchema } from '../shared/enumerations.ts';
import { errorCodeSchema } from '../shared/errors.ts';
import { name } from '../shared/fields.ts';
import type { Operation } from './operation.ts';

const itemShape = {
  code: z.string().describe('Value in requests and answers'),
  name: z.string().describe('Display name, in the language of `Content-Language`'),
  parentCode: z.string().nullable().describe('Parent of the code; see the description of the list'),
  family: familySchema.nullable().describe('Family that the row applies to; null: all families'),
  active: z
    .boolean()
    .describe(
      'True if the value may be used today. Retired values stay in the list, so that existing records can be displayed',
    ),
} as const;

const referenceItemSchema = z.object(itemShape).meta({ id: 'ReferenceItem' });
export type ReferenceItem = z.infer<typeof referenceItemSchema>;

/** Row of the error catalogue: text of the code, and what its receiver can do. */
const referenceErrorCodeSchema = z
  .object({
    ...itemShape,
    code: errorCodeSchema,
    correctable: z.boolean().describe("The applicant's data can be corrected and the step run again"),
    retryable: z.boolean().describe('True if the same call, or a rerun of the same step, may succeed later'),
  })
  .meta({ id: 'ReferenceErrorCode' });
export type ReferenceErrorCode = z.infer<typeof referenceErrorCodeSchema>;

const family = familySchema
  .optional()
  .describe('Only rows of this family and rows that apply to all families');
const province = name.optional().meta({
  description: 'Code or name of a province, ignoring accents and case; only its cities are listed',
  examples: ['Azuay'],
});

const referenceQuery = z.object({ family });
export const citiesQuery = z.object({ province, family });

function list<Path extends string, Success extends z.ZodType>(
  path: Path,
  summary: string,
  row: { description: string; query?: z.ZodObject; success: Success },
) {
  return {
    method: 'GET',
    path: `/gateway/reference/${path}`,
    tag: 'Reference lists',
    summary,
    access: 'public',
    published: true,
    maxBodyBytes: 1024 * 1024,
    errors: ['FIELD_INVALID'],
    query: referenceQuery,
    ...row,
  } as const satisfies Operation;
}

const items = z.array(referenceItemSchema);

export const referenceOperations = {
  listProvinces: list('provinces', 'Provinces of Ecuador', {
    description: '`code` is the two-digit code of the statistics institute (INEC).',
    success: items,
  }),
  listCities: list('cities', 'Cities: the cantons of Ecuador', {
    description: '`code` is the four-digit code of INEC, `parentCode` the code of the province.',
    query: citiesQuery,
    success: items,
  }),
  listPeriods: list('periods', 'Periods of certificates, by family', {
    description:
      '`parentCode` is the `certificateType` of the period, even if the body of the family does not have that field.',
    success: items,
  }),
  listStates: list('states', 'States of a request', {
    description:
      '`parentCode` names the field: `STATUS` or `VALIDATION_STATUS`. States are the same in all families.',
    success: items,
  }),
  listTypes: list('types', 'Types of applicants, certificates, documents and terms, by family', {
    description:
      '`parentCode` names the field: `APPLICATION_TYPE`, `CERTIFICATE_TYPE`, `DOCUMENT_TYPE`, `TERMS_TYPE`. For a family whose body does not have the field, the list has its fixed value.',
    success: items,
  }),
  listEvidenceTypes: list('evidence-types', 'Values of `evidenceType`', {
    description: 'Types of the items of `evidences`, a field of linked-partner bodies only.',
    success: items,
  }),
  listValidationErrorCodes: list('validation-error-codes', 'Every code that an error may carry', {
    description:
      '`name` is the text of the code. `correctable` and `retryable` tell the receiver what it can do.',
    success: z.array(referenceErrorCodeSchema),
  }),
};

export type ReferenceOperationId = keyof typeof referenceOperations;
