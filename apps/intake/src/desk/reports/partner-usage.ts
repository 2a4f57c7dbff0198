import { createText } from '@rubrica/contracts/error-texts/create-text';
import {
  type CertificateType,
  certificateTypeSchema,
  type Family,
  familySchema,
  type Status,
} from '@rubrica/contracts/shared/enumerations';
import type { Usage } from '@rubrica/contracts/shared/usage';
import { statement } from '@rubrica/database/statement';
import { invalidField } from '@rubrica/process/errors';
import { formatLocalDate } from '@rubrica/process/time';
import type { OperatorUseCase, UseCase } from '@rubrica/wiring';
import { PartnerEntity } from '../../access/partners/partner.entity.ts';
import { partnerNotFound } from '../../access/partners/partner-not-found.ts';
import { isTerminal } from '../../requests/request/state-machine.ts';
import type { DeskDeps } from '../deps.ts';
import {
  allStates,
  matchesStateSql,
  partnerConditionSql,
  type States,
  selectPerStateSql,
} from '../search/listed-requests.ts';

type PartnerUsageDeps = Pick<DeskDeps, 'database' | 'clock' | 'timeZone'>;

interface CountRow {
  readonly family: Family;
  readonly certificateType: CertificateType;
  readonly status: Status;
  readonly isRevoked: boolean;
  readonly count: number;
}

interface MonthParams extends States {
  readonly partnerId: string;
  readonly month: string;
  readonly timeZone: string;
}

/**
 * Counts the requests themselves in one query, so that quota, outcomes and month cannot disagree. Each
 * combination of states reads its own range of the index by partner.
 */
const countMonth = statement<MonthParams, CountRow>({
  name: 'count-month-of-partner',
  sql: `
select found.family, certificate_type as "certificateType", found.status,
  coalesce(certificate_status = 'REVOKED' and revocation_reason is distinct from 'certificateHold', false) as "isRevoked",
  count(*)::int as count
from ${selectPerStateSql} cross join lateral (
  select * from request
  where ${partnerConditionSql} ${matchesStateSql}
    and created_at >= (:month || '-01')::timestamp at time zone :timeZone
    and created_at < ((:month || '-01')::timestamp + interval '1 month') at time zone :timeZone
  offset 0
) as found
group by 1, 2, 3, 4`,
});

/** @throws AppError FIELD_INVALID for a month in the future */
async function readUsage(
  { database, clock, timeZone }: PartnerUsageDeps,
  partnerId: string,
  requested: string | undefined,
): Promise<Usage> {
  const currentMonth = formatLocalDate(clock(), timeZone).slice(0, 7);
  const month = requested ?? currentMonth;
  if (month > currentMonth) throw invalidField('month', createText('field.futureMonth'));
  const partner = await database.fork().findOne(PartnerEntity, { id: partnerId });
  if (!partner) throw partnerNotFound();
  const rows = await countMonth.run(database, { partnerId, month, timeZone, ...allStates });
  return sumUp(month, partner.quota, rows);
}

function sumUp(month: string, quota: Partial<Usage['quota']>, rows: readonly CountRow[]): Usage {
  const sum = (test: (row: CountRow) => boolean) =>
    rows.reduce((total, row) => (test(row) ? total + row.count : total), 0);
  const byType = (test: (row: CountRow) => boolean) =>
    mapNames(certificateTypeSchema.options, (type) =>
      sum((row) => row.certificateType === type && test(row)),
    );
  const isIssued = ({ status }: CountRow) => status === 'GENERATED';
  const isOpen = ({ status }: CountRow) => !isTerminal(status);
  return {
    month,
    quota: mapNames(certificateTypeSchema.options, (type) => quota[type] ?? null),
    used: byType((row) => isIssued(row) || isOpen(row)),
    reserved: byType(isOpen),
    issued: byType(isIssued),
    revoked: byType((row) => isIssued(row) && row.isRevoked),
    byFamily: mapNames(familySchema.options, (family) => {
      const countEnded = (status: Status) => sum((row) => row.family === family && row.status === status);
      return {
        registered: sum((row) => row.family === family),
        issued: countEnded('GENERATED'),
        refused: countEnded('REFUSED'),
        cancelled: countEnded('CANCELLED'),
        expired: countEnded('EXPIRED'),
      };
    }),
  };
}

function mapNames<Name extends string, Value>(names: readonly Name[], getValue: (name: Name) => Value) {
  return Object.fromEntries(names.map((name) => [name, getValue(name)])) as Record<Name, Value>;
}

export function createRequestsUsage(deps: PartnerUsageDeps): UseCase<'intake', 'requests.usage'> {
  return ({ month }, { caller: { partnerId } }) => readUsage(deps, partnerId, month);
}

/** @throws AppError REQUEST_NOT_FOUND, FIELD_INVALID */
export function createPartnersUsage(deps: PartnerUsageDeps): OperatorUseCase<'partners.usage'> {
  return ({ id, month }) => readUsage(deps, id, month);
}
