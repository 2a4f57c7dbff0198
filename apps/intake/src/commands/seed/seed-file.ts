import { readFile } from 'node:fs/promises';
import {
  operatorRoleSchema,
  passwordConfigurationSchema,
  reviewPolicySchema,
} from '@rubrica/contracts/shared/enumerations';
import * as fields from '@rubrica/contracts/shared/fields';
import { z } from 'zod';

const seedFileSchema = z.object({
  partners: z
    .array(
      z.object({
        id: fields.idSchema,
        name: z.string().min(1).max(100),
        email: fields.email,
        clientId: z.string().min(1).max(200),
        clientSecret: z.string().min(32).max(200),
        webhookSecret: z.string().regex(/^whsec_[A-Za-z0-9+/=]{32,}$/),
        passwordConfiguration: passwordConfigurationSchema,
        reviewPolicy: reviewPolicySchema,
      }),
    )
    .default([]),
  operators: z
    .array(
      z.object({
        id: fields.idSchema,
        email: fields.email,
        password: z.string().min(12).max(200),
        role: operatorRoleSchema,
      }),
    )
    .default([]),
});
export type Seed = z.infer<typeof seedFileSchema>;

/**
 * Reads this service's part of the seed file.
 * @throws if the file is missing, is not JSON or holds unusable values
 */
export async function readSeed(file: string): Promise<Seed> {
  return seedFileSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}
