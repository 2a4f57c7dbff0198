import { families } from '@rubrica/contracts/shared/enumerations';
import { createKeyset } from '@rubrica/database/keyset';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { DeskDeps } from '../deps.ts';
import { type PartnerDays, readMonth } from './request-days.ts';

type ReportUsage = OperatorUseCase<'reports.usage'>;

export const byPartner = createKeyset();
const counts = ['registered', 'issued', 'refused', 'cancelled', 'expired'] as const;

/**
 * Lists usage by partner, in the order of ids.
 * @throws AppError FIELD_INVALID for a cursor that no page returned
 */
export function createReportUsage(deps: Pick<DeskDeps, 'database' | 'clock' | 'timeZone'>): ReportUsage {
  return async ({ cursor, limit, month: requested, partnerId }) => {
    const afterId = cursor === undefined ? undefined : byPartner.readCursor(cursor).id;
    const { month, partners, asOf } = await readMonth(deps, { month: requested, partnerId, afterId, limit });
    const rows = partners.map((partner) => ({ ...partner, id: partner.partnerId }));
    return { ...byPartner.page(rows, limit, (partner) => toUsage(partner, month)), asOf };
  };
}

function toUsage({ partnerId, partnerName, days }: PartnerDays, month: string) {
  const byFamily = families.map((family) => {
    const familyDays = days.filter((day) => day.family === family);
    const sums = counts.map((name) => [name, familyDays.reduce((sum, day) => sum + day[name], 0)] as const);
    return [family, Object.fromEntries(sums)] as const;
  });
  type ByFamily = Awaited<ReturnType<ReportUsage>>['items'][number]['byFamily'];
  return { month, partnerId, partnerName, byFamily: Object.fromEntries(byFamily) as ByFamily };
}
