import type { DeliveryLevels } from '@rubrica/contracts/services/schemas/delivery-levels';
import { countOf, type Histogram, percentileMs } from '@rubrica/database';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../../context.ts';
import { byPartner } from './report-usage.ts';
import { type MonthOfPartners, type PartnerDays, readMonth } from './request-days.ts';

type ReportServiceLevels = OperatorUseCase<'reports.serviceLevels'>;
type Needs = Pick<IntakeDeps, 'database' | 'clock' | 'timeZone' | 'peers' | 'logger'>;

/** By partner, in the order of ids. @throws AppError FIELD_INVALID for a cursor that no page gave */
export function createReportServiceLevels(deps: Needs): ReportServiceLevels {
  return async ({ cursor, limit, month: asked, partnerId }) => {
    const afterId = cursor === undefined ? undefined : byPartner.readCursor(cursor).id;
    const found = await readMonth(deps, { month: asked, partnerId, afterId, limit });
    const delivered = await deliveryLevels(deps, found);
    const levels = new Map(delivered?.items.map((one) => [one.partnerId, one]));
    const rows = found.partners.map((partner) => ({ ...partner, id: partner.partnerId }));
    const page = byPartner.page(rows, limit, (partner) => ({
      month: found.month,
      ...levelsOf(partner),
      ...webhookLevels(levels.get(partner.partnerId)),
    }));
    return { ...page, asOf: oldest(found.asOf, delivered?.asOf), hasWebhooks: delivered !== undefined };
  };
}

/** undefined where the notifier does not answer: what intake has is shown all the same. */
async function deliveryLevels({ peers, logger }: Needs, { month, partners }: MonthOfPartners) {
  try {
    const partnerIds = partners.map(({ partnerId }) => partnerId);
    return await peers.notifier['deliveries.levels']({ month, partnerIds });
  } catch (err) {
    logger.warn({ err }, 'service levels are shown without webhooks');
    return undefined;
  }
}

function levelsOf({ partnerId, partnerName, days }: PartnerDays) {
  const sum = (name: 'registered' | 'issued' | 'refused') => days.reduce((all, day) => all + day[name], 0);
  const certificate = days.map(({ times }) => times.certificate ?? {});
  const review = days.map(({ times }) => times.review ?? {});
  return {
    partnerId,
    partnerName,
    registered: sum('registered'),
    issued: sum('issued'),
    refused: sum('refused'),
    certificateP50Seconds: seconds(certificate, 0.5),
    certificateP95Seconds: seconds(certificate, 0.95),
    reviews: countOf(review),
    reviewP50Seconds: seconds(review, 0.5),
    reviewP95Seconds: seconds(review, 0.95),
  };
}

function seconds(histograms: readonly Histogram[], share: number): number | null {
  const ms = percentileMs(histograms, share);
  return ms === null ? null : Math.round(ms) / 1_000;
}

function webhookLevels(levels: DeliveryLevels | undefined) {
  const {
    webhooks = 0,
    delivered = 0,
    atFirstAttempt = 0,
    p50Seconds = null,
    p95Seconds = null,
  } = levels ?? {};
  return {
    webhooks,
    webhooksDelivered: delivered,
    webhooksAtFirstAttempt: webhooks === 0 ? null : Math.round((atFirstAttempt / webhooks) * 10_000) / 10_000,
    webhookP50Seconds: p50Seconds,
    webhookP95Seconds: p95Seconds,
  };
}

function oldest(...instants: readonly (string | null | undefined)[]): string | null {
  return instants.flatMap((instant) => instant ?? []).toSorted()[0] ?? null;
}
