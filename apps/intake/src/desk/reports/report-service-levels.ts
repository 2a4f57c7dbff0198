import type { DeliveryLevels } from '@rubrica/contracts/services/schemas/delivery-levels';
import { countEntries, type Histogram, percentileMs } from '@rubrica/database/day-rows';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { DeskDeps } from '../deps.ts';
import { byPartner } from './report-usage.ts';
import { type PartnerDays, type PartnersMonth, readMonth } from './request-days.ts';

type ReportServiceLevels = OperatorUseCase<'reports.serviceLevels'>;
type ReportServiceLevelsDeps = Pick<DeskDeps, 'database' | 'clock' | 'timeZone' | 'peers' | 'logger'>;

/**
 * Lists service levels by partner, in the order of ids.
 * @throws AppError FIELD_INVALID for a cursor that no page returned
 */
export function createReportServiceLevels(deps: ReportServiceLevelsDeps): ReportServiceLevels {
  return async ({ cursor, limit, month: requested, partnerId }) => {
    const afterId = cursor === undefined ? undefined : byPartner.readCursor(cursor).id;
    const found = await readMonth(deps, { month: requested, partnerId, afterId, limit });
    const delivered = await readDeliveryLevels(deps, found);
    const levels = new Map(delivered?.items.map((levels) => [levels.partnerId, levels]));
    const rows = found.partners.map((partner) => ({ ...partner, id: partner.partnerId }));
    const page = byPartner.page(rows, limit, (partner) => ({
      month: found.month,
      ...toLevels(partner),
      ...toWebhookLevels(levels.get(partner.partnerId)),
    }));
    return { ...page, asOf: oldest(found.asOf, delivered?.asOf), hasWebhooks: delivered !== undefined };
  };
}

/**
 * Reads delivery levels from the notifier; undefined if it does not answer, so that intake's own figures are
 * shown all the same.
 */
async function readDeliveryLevels(
  { peers, logger }: ReportServiceLevelsDeps,
  { month, partners }: PartnersMonth,
) {
  try {
    const partnerIds = partners.map(({ partnerId }) => partnerId);
    return await peers.notifier['deliveries.levels']({ month, partnerIds });
  } catch (err) {
    logger.warn({ err }, 'service levels shown without webhooks');
    return undefined;
  }
}

const outcomes = ['issued', 'refused', 'cancelled', 'expired'] as const;
type Outcome = (typeof outcomes)[number];

function toLevels({ partnerId, partnerName, days }: PartnerDays) {
  const sum = (name: 'registered' | Outcome) => days.reduce((all, day) => all + day[name], 0);
  const registered = sum('registered');
  const mapOutcomes = <Value>(getValue: (name: Outcome) => Value) =>
    Object.fromEntries(outcomes.map((name) => [name, getValue(name)])) as Record<Outcome, Value>;
  const counts = mapOutcomes(sum);
  const shares = mapOutcomes((name) => share(counts[name], registered));
  const times = (kind: keyof PartnerDays['days'][number]['times']) =>
    days.map((day) => day.times[kind] ?? {});
  return {
    ...{ partnerId, partnerName, registered, ...counts },
    issuedShare: shares.issued,
    refusedShare: shares.refused,
    cancelledShare: shares.cancelled,
    expiredShare: shares.expired,
    outcomeP50Seconds: seconds(times('outcome'), 0.5),
    outcomeP95Seconds: seconds(times('outcome'), 0.95),
    certificateP50Seconds: seconds(times('certificate'), 0.5),
    certificateP95Seconds: seconds(times('certificate'), 0.95),
    reviews: countEntries(times('review')),
    reviewP50Seconds: seconds(times('review'), 0.5),
    reviewP95Seconds: seconds(times('review'), 0.95),
  };
}

/** Computes a share to four decimals; null for an empty whole. */
function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}

function seconds(histograms: readonly Histogram[], share: number): number | null {
  const ms = percentileMs(histograms, share);
  return ms === null ? null : Math.round(ms) / 1_000;
}

function toWebhookLevels(levels: DeliveryLevels | undefined) {
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
    webhooksAtFirstAttempt: share(atFirstAttempt, webhooks),
    webhookP50Seconds: p50Seconds,
    webhookP95Seconds: p95Seconds,
  };
}

function oldest(...instants: readonly (string | null | undefined)[]): string | null {
  return instants.flatMap((instant) => instant ?? []).toSorted()[0] ?? null;
}
