import { evidenceStores } from '@rubrica/contracts/services/schemas/evidence';
import { address, flag, setting } from '@rubrica/process/config';
import { z } from 'zod';

const s3Settings = z.object({
  bucket: setting(z.string().min(3).max(63).optional(), {
    env: 'EVIDENCE_S3_BUCKET',
    about:
      'bucket of S3 for evidence; needed with `EVIDENCE_STORE=s3`. Credentials are what the AWS SDK finds: environment, files, roles',
  }),
  endpoint: setting(address(['https:', 'http:']).optional(), {
    env: 'EVIDENCE_S3_ENDPOINT',
    about: 'its address, where that is not AWS',
  }),
  region: setting(z.string().min(1).default('us-east-1'), { env: 'EVIDENCE_S3_REGION', about: 'its region' }),
  pathStyle: setting(flag().default(false), {
    env: 'EVIDENCE_S3_PATH_STYLE',
    about: 'the bucket in the path of addresses, not in the name of the host; for Ceph mostly `true`',
  }),
  keyPrefix: setting(
    z
      .string()
      .regex(
        /^([A-Za-z0-9_-]+\/)+$/,
        'must be names of letters, digits, "_" and "-", each with a slash behind it',
      )
      .optional(),
    { env: 'EVIDENCE_S3_KEY_PREFIX', about: 'what all keys begin with, such as `rubrica/`' },
  ),
  caFile: setting(z.string().optional(), {
    env: 'EVIDENCE_S3_CA_FILE',
    about:
      "PEM file with the authorities that the store's certificate may come from, instead of the usual ones",
  }),
});

/** Settings shared by gateway and intake: the gateway writes where intake reads. */
export const evidenceStoreSettings = z
  .object({
    store: setting(z.enum(evidenceStores).default('nats'), {
      env: 'EVIDENCE_STORE',
      about:
        'where evidence goes that is too large for a row: `nats` or `s3`. What lies in the other is read as before',
    }),
    s3: s3Settings,
  })
  .superRefine(
    ({ store, s3 }, context) => {
      if (store === 's3' && s3?.bucket === undefined)
        context.addIssue({
          code: 'custom',
          path: ['s3', 'bucket'],
          message: 'is required with EVIDENCE_STORE=s3',
        });
    },
    // Also checked when other settings are invalid, so that all faults are reported at once.
    { when: () => true },
  );

export type EvidenceStoreSettings = z.output<typeof evidenceStoreSettings>;
