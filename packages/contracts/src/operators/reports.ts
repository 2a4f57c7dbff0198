import { z } from 'zod';
import { familySchema } from '../shared/enumerations.ts';
import { idSchema, instant } from '../shared/fields.ts';
import { month } from '../shared/month.ts';
import { page, search } from './common.ts';
import type { OperatorProcedure } from './procedure.ts';

const input = z.object({
  ...search,
  month: month
    .optional()
    .describe('Of registration, `yyyy-MM` where the deployment is; this one unless given'),
  partnerId: idSchema.optional(),
});

const ofPartner = { month, partnerId: idSchema, partnerName: z.string() } as const;
const count = z.int().min(0);
const seconds = z.number().min(0).nullable().describe('null: nothing to measure. Right to 3 %');
const share = z.number().min(0).max(1).nullable();

const usageOfFamily = z.object({
  registered: count,
  issued: count,
  refused: count,
  cancelled: count,
  expired: count,
});

/** Every report tells of when its oldest part is. */
const asOf = instant.nullable().describe('Nothing is older than this; null where nothing was counted yet');

/** What became of the requests of a month, by partner. */
export const reportProcedures = {
  'reports.usage': {
    kind: 'query',
    takesTurns: true,
    service: 'intake',
    role: 'viewer',
    input,
    output: page(z.object({ ...ofPartner, byFamily: z.record(familySchema, usageOfFamily) })).extend({
      asOf,
    }),
  },
  'reports.serviceLevels': {
    kind: 'query',
    takesTurns: true,
    service: 'intake',
    role: 'viewer',
    input,
    output: page(
      z.object({
        ...ofPartner,
        registered: count,
        issued: count,
        refused: count,
        cancelled: count.default(0),
        expired: count.default(0),
        issuedShare: share
          .default(null)
          .describe('Of all that were registered; what is missing to 1 is still open. null: none was'),
        refusedShare: share.default(null),
        cancelledShare: share.default(null),
        expiredShare: share.default(null),
        outcomeP50Seconds: seconds
          .default(null)
          .describe('From registration to certificate or refusal; null: none had either'),
        outcomeP95Seconds: seconds.default(null),
        certificateP50Seconds: seconds.describe('From registration to certificate; null: none was issued'),
        certificateP95Seconds: seconds,
        webhooks: count.describe('Events of the month for the partner’s addresses'),
        webhooksDelivered: count,
        webhooksAtFirstAttempt: share.describe('Of all of them, delivered by the first attempt; null: none'),
        webhookP50Seconds: seconds.describe('From the event to its delivery'),
        webhookP95Seconds: seconds,
        reviews: count.describe('Times that a request waited for a person, and the wait is over'),
        reviewP50Seconds: seconds,
        reviewP95Seconds: seconds,
      }),
    ).extend({
      asOf,
      hasWebhooks: z.boolean().describe('false: the notifier did not answer, and its figures are missing'),
    }),
  },
} as const satisfies Record<string, OperatorProcedure>;
