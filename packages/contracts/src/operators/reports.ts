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
    .describe('Month of registration, `yyyy-MM` in the time zone of the deployment; default: this month'),
  partnerId: idSchema.optional(),
});

const partnerFields = { month, partnerId: idSchema, partnerName: z.string() } as const;
const count = z.int().min(0);
const seconds = z.number().min(0).nullable().describe('null if there is nothing to measure. Accurate to 3 %');
const share = z.number().min(0).max(1).nullable();

const usageOfFamily = z.object({
  registered: count,
  issued: count,
  refused: count,
  cancelled: count,
  expired: count,
});

/** Every report states the age of its oldest part. */
const asOf = instant.nullable().describe('No figure is older than this; null if nothing was counted yet');

/** Outcomes of the requests of a month, by partner. */
export const reportProcedures = {
  'reports.usage': {
    kind: 'query',
    takesTurns: true,
    service: 'intake',
    role: 'viewer',
    input,
    output: page(z.object({ ...partnerFields, byFamily: z.record(familySchema, usageOfFamily) })).extend({
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
        ...partnerFields,
        registered: count,
        issued: count,
        refused: count,
        cancelled: count.default(0),
        expired: count.default(0),
        issuedShare: share
          .default(null)
          .describe(
            'Share of all registered requests; the rest to 1 is still open. null if none was registered',
          ),
        refusedShare: share.default(null),
        cancelledShare: share.default(null),
        expiredShare: share.default(null),
        outcomeP50Seconds: seconds
          .default(null)
          .describe('Time from registration to certificate or refusal; null if there was neither'),
        outcomeP95Seconds: seconds.default(null),
        certificateP50Seconds: seconds.describe(
          'Time from registration to certificate; null if none was issued',
        ),
        certificateP95Seconds: seconds,
        webhooks: count.describe('Events of the month for the partner’s addresses'),
        webhooksDelivered: count,
        webhooksAtFirstAttempt: share.describe(
          'Share of webhooks that the first attempt delivered; null if there were none',
        ),
        webhookP50Seconds: seconds.describe('Time from the event to its delivery'),
        webhookP95Seconds: seconds,
        reviews: count.describe('Number of completed waits of requests for a reviewer'),
        reviewP50Seconds: seconds,
        reviewP95Seconds: seconds,
      }),
    ).extend({
      asOf,
      hasWebhooks: z.boolean().describe('false if the notifier did not answer and its figures are missing'),
    }),
  },
} as const satisfies Record<string, OperatorProcedure>;
