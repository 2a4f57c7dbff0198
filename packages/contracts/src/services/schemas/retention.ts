import { z } from 'zod';
import { idSchema, instant } from '../../shared/fields.ts';
import { grant } from './grants.ts';

/** Days after issuance for which the applicant may fetch the file, if the applicant chose the password. */
export const claimDownloadDays = 7;

/** Kinds of data that may be stored of a request. */
const holdingKinds = [
  'REQUEST_DATA',
  'EVIDENCE',
  'PASSWORD',
  'LINK',
  'MESSAGES',
  'TERMS_ACCEPTANCE',
  'CERTIFICATE',
  'BUNDLE',
  'DELIVERY',
] as const;
export const holdingKindSchema = z.enum(holdingKinds);
export type HoldingKind = z.infer<typeof holdingKindSchema>;

/**
 * Reasons for storing data, each with its end. `UNTIL_END`: the request has not ended. `AT_END`: deleted in the
 * transaction that ends the request. `AFTER_END`: nothing was issued. `AFTER_CERTIFICATE`: the authority must be able
 * to prove its checks. `DELIVERY`: until delivery plus a grace period, or the longest time, whichever comes first.
 * `REGISTER`: the authority's register of certificates, permanently. `LEGAL_HOLD`: an operator has suspended the
 * retention.
 */
const retentionRules = [
  'UNTIL_END',
  'AT_END',
  'AFTER_END',
  'AFTER_CERTIFICATE',
  'DELIVERY',
  'REGISTER',
  'LEGAL_HOLD',
] as const;
export const retentionRuleSchema = z.enum(retentionRules);
export type RetentionRule = z.infer<typeof retentionRuleSchema>;

export const holdingSchema = z.object({
  kind: holdingKindSchema,
  detail: z.string().nullable().describe('Type, size, number; never the content'),
  since: instant,
  until: instant.nullable().describe('null: no end is known yet, or there is none'),
  rule: retentionRuleSchema,
});

/** Answers the data that a peer of intake stores of requests, by their ids. */
export const holdingInput = z.object({ requestIds: z.array(idSchema).min(1).max(100) });
export const holdingOutput = z.object({ items: z.array(holdingSchema.extend({ requestId: idSchema })) });
export type PeerHoldings = z.infer<typeof holdingOutput>;

/**
 * Purges bundles that the notifier has delivered or given up, so that generation needs its own copies no longer. The
 * grant names them.
 */
export const purgeBundlesInput = z.object({ grant });

/**
 * Instruction of intake to the services that store data of requests. It grows in `version`: an older one never replaces
 * a newer one. `SECRETS` are bundles, passwords and messages; `ALL` is all personal data outside of registers.
 */
export const retainInput = z.object({
  requests: z
    .array(
      z.object({
        requestId: idSchema,
        version: z.int().min(0),
        held: z.boolean(),
        erase: z.enum(['NOTHING', 'SECRETS', 'ALL']),
        /** The partner has fetched the file and may do so again until then; absent: it has not. */
        fetchUntil: instant.optional(),
        /** Total days by the sandbox's clock: time limits end so much earlier. */
        advancedDays: z.int().min(0).default(0),
      }),
    )
    .min(1)
    .max(500),
});
export type RetentionInstruction = z.infer<typeof retainInput>['requests'][number];

/** Number of rows changed: none if a former call changed them. */
export const retentionResult = z.object({ changed: z.int() });
