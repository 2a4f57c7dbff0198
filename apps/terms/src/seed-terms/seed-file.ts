import { readFile } from 'node:fs/promises';
import * as fields from '@rubrica/contracts/shared/fields';
import { termsContent, termsTypeSchema, termsVersionLabel } from '@rubrica/contracts/shared/terms';
import { z } from 'zod';

/** Section of this service in the seed file. Other services read their own sections. */
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

/**
 * Reads the seed file.
 * @throws when the file is missing, is not JSON, or has terms that an operator could not have created
 */
export async function readSeedTerms(file: string): Promise<SeedTerms[]> {
  return seedFileSchema.parse(JSON.parse(await readFile(file, 'utf8'))).terms;
}
