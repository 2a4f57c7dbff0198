import { readFile } from 'node:fs/promises';
import * as fields from '@rubrica/contracts/shared/fields';
import { termsContent, termsTypeSchema, termsVersionLabel } from '@rubrica/contracts/shared/terms';
import { z } from 'zod';

/** This service's part of the seed file; the parts of the others are theirs to read. */
const seedFileSchema = z.object({
  terms: z
    .array(
      z.object({
        id: fields.idSchema,
        type: termsTypeSchema,
        version: termsVersionLabel,
        content: termsContent,
        active: z.boolean(),
      }),
    )
    .default([]),
});
export type SeedTerms = z.infer<typeof seedFileSchema>['terms'][number];

/** @throws when the file is missing, is no JSON, or holds terms that could not have been created by an operator */
export async function readSeedTerms(file: string): Promise<SeedTerms[]> {
  return seedFileSchema.parse(JSON.parse(await readFile(file, 'utf8'))).terms;
}
