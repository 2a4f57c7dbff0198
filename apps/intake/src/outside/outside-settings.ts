import { integer, setting } from '@rubrica/process/config';
import { z } from 'zod';
import { isOutsideSystemAddress } from './outside-address.ts';

const bearerToken = z.string().regex(/^[\x21-\x7e]{1,1024}$/, 'must be printable characters without blanks');
const outsideAddress = z
  .string()
  .refine(
    isOutsideSystemAddress,
    'must be an https address (http on this machine only) without user, query and fragment',
  );

/** External systems, each with an address and a token. */
export const outsideSystems = ['civilRegistry', 'taxRegistry', 'liveness'] as const;

export const outsideSettings = z.object({
  civilRegistry: z.object({
    url: setting(outsideAddress.optional(), {
      env: 'REGISTRY_URL',
      about: 'base address of the civil registry, or of an adapter in front of it; needed unless `SANDBOX`',
    }),
    token: setting(bearerToken.optional(), {
      env: 'REGISTRY_TOKEN',
      about: 'bearer token for the civil registry; needed unless `SANDBOX`',
      secret: true,
    }),
  }),
  taxRegistry: z.object({
    url: setting(outsideAddress.optional(), {
      env: 'TAX_REGISTRY_URL',
      about: 'the same for the tax registry; needed unless `SANDBOX`',
    }),
    token: setting(bearerToken.optional(), {
      env: 'TAX_REGISTRY_TOKEN',
      about: 'bearer token for the tax registry; needed unless `SANDBOX`',
      secret: true,
    }),
  }),
  liveness: z.object({
    url: setting(outsideAddress.optional(), {
      env: 'LIVENESS_URL',
      about: 'the same for proofs of life; needed unless `SANDBOX`',
    }),
    token: setting(bearerToken.optional(), {
      env: 'LIVENESS_TOKEN',
      about: 'bearer token for proofs of life; needed unless `SANDBOX`',
      secret: true,
    }),
  }),
  timeoutSeconds: setting(integer({ min: 1, max: 8 }).default(8), {
    env: 'REGISTRY_TIMEOUT_SECONDS',
    about: 'time for one try at a registry or at liveness, of the nine seconds that a call has in all',
  }),
});
export type OutsideSettings = z.output<typeof outsideSettings>;
