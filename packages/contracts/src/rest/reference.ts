import { z } from 'zod';
import { familySchema } from '../shared/enumerations.ts';
import { errorCodeSchema } from '../shared/errors.ts';
import { name } from '../shared/fields.ts';
import type { Operation } from './operation.ts';

const itemShape = {
  code: z.string().describe('What is sent and answered'),
  name: z.string().describe('For people, in the language of `Content-Language`'),
  parentCode: z.string().nullable().describe('What the code belongs to; see the description of the list'),
  family: familySchema.nullable().describe('The family for which the row holds; null: for all of them'),
  active: z
    .boolean()
    .describe('Whether it may be used today; a value that is retired stays, to be shown with what has it'),
} as const;

const referenceItemSchema = z.object(itemShape).meta({ id: 'ReferenceItem' });
export type ReferenceItem = z.infer<typeof referenceItemSchema>;

/** A row of the catalogue says beside its text what the receiver of the code can do. */
const referenceErrorCodeSchema = z
  .object({
    ...itemShape,
    code: errorCodeSchema,
    correctable: z.boolean().describe("The applicant's data can be corrected and the step run again"),
    retryable: z.boolean().describe('The same call, or a rerun of the same step, may succeed later'),
  })
  .meta({ id: 'ReferenceErrorCode' });
export type ReferenceErrorCode = z.infer<typeof referenceErrorCodeSchema>;

const family = familySchema
  .optional()
  .describe('Keeps only the rows of this family and those that hold for all');
const province = name.optional().meta({
  description: 'Code or name of a province; accents and case do not matter. Keeps only its cities',
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
  listPeriods: list('periods', 'Periods for which a certificate may be asked, by family', {
    description:
      '`parentCode` is the `certificateType` to which the period belongs, whether the body of the family names it or not.',
    success: items,
  }),
  listStates: list('states', 'States of a request', {
    description:
      '`parentCode` tells the two fields apart: `STATUS` and `VALIDATION_STATUS`. They are the same in all families.',
    success: items,
  }),
  listTypes: list('types', 'Types of applicants, certificates, documents and terms, by family', {
    description:
      '`parentCode` names the field: `APPLICATION_TYPE`, `CERTIFICATE_TYPE`, `DOCUMENT_TYPE`, `TERMS_TYPE`. A family whose body has no such field has what it settles by itself.',
    success: items,
  }),
  listEvidenceTypes: list('evidence-types', 'Values of `evidenceType`', {
    description: 'Of the items of `evidences`, which only linked-partner bodies have.',
    success: items,
  }),
  listValidationErrorCodes: list('validation-error-codes', 'Every code that an error may carry', {
    description:
      '`name` is the text of the code. `correctable` and `retryable` say what the receiver can do about it.',
    success: z.array(referenceErrorCodeSchema),
  }),
};

export type ReferenceOperationId = keyof typeof referenceOperations;
