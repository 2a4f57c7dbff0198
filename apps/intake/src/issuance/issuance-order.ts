import type * as issuanceContract from '@rubrica/contracts/services/schemas/issuance';
import type { KeyType } from '@rubrica/contracts/shared/enumerations';
import { statement } from '@rubrica/database';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { requestNotFound, stateNotAllowed } from '../errors.ts';
import { parseAppointmentEnd } from '../request/date-input.ts';
import { detailText } from '../request/detail-text.ts';
import { familyPlans } from '../request/family-plans.ts';
import type { Request } from '../request/request.entity.ts';

type IssuanceOrder = UseCase<'intake', 'issuance.order'>;

type Ordered = Pick<
  Request,
  | 'status'
  | 'partnerId'
  | 'applicationType'
  | 'certificateType'
  | 'period'
  | 'identificationNumber'
  | 'details'
  | 'family'
> &
  Pick<issuanceContract.IssuanceOrder, 'sealedPassword' | 'passwordOrigin' | 'hasWebhook'> & {
    readonly isCurrent: boolean;
    readonly partner: { readonly legacy_pkcs12: boolean; readonly key_type: KeyType };
  };

const find = statement<{ readonly requestId: string; readonly attempt: number }, Ordered>({
  name: 'issuance-order',
  groupCommit: true,
  sql: `
select status, partner_id as "partnerId", status = 'GENERATING' and generation_attempt = :attempt as "isCurrent", family, details, period,
  application_type as "applicationType", certificate_type as "certificateType",
  identification_number as "identificationNumber", sealed_password as "sealedPassword",
  password_origin as "passwordOrigin", to_jsonb(partner) as partner, callback_url is not null as "hasWebhook"
from request join partner on partner.id = request.partner_id where request.id = :requestId`,
});

/**
 * What generation needs for one certificate, in one statement: it is asked for each. Given out for the attempt in
 * hand only: a job that was overtaken by a retry gets no data to issue from.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED
 */
export function createIssuanceOrder({
  database,
  timeZone,
  rows,
}: Pick<IntakeDeps, 'database' | 'timeZone' | 'rows'>): IssuanceOrder {
  return async ({ requestId, attempt, privateFields }) => {
    const [row] = await find.run(database, { requestId, attempt });
    if (!row) throw requestNotFound();
    if (!row.isCurrent) throw stateNotAllowed(row.status);
    const { details } = row;
    // A row that was written past us chooses nothing: its certificates are those of every other partner.
    const settings = rows.isIntact('partner', row.partner) ? row.partner : undefined;
    const appointment = detailText(details, 'expirationDateAppointment');
    return {
      requestId,
      partnerId: row.partnerId,
      attempt,
      applicationType: row.applicationType,
      certificateType: row.certificateType,
      period: row.period,
      subject: {
        identificationNumber: row.identificationNumber,
        givenName: detailText(details, 'applicantName') ?? '',
        firstSurname: detailText(details, 'applicantLastName') ?? '',
        secondSurname: detailText(details, 'applicantSecondLastName'),
        email: detailText(details, 'email'),
        address: privateFields.includes('address') ? detailText(details, 'address') : null,
        phone: privateFields.includes('phone') ? detailText(details, 'cellphoneNumber') : null,
        city: detailText(details, 'city') ?? '',
        countryCode: 'EC',
        companyRuc: detailText(details, 'companyRuc'),
        companySocialReason: detailText(details, 'companySocialReason'),
        positionCompany: detailText(details, 'positionCompany'),
      },
      appointmentExpiresAt:
        (appointment && parseAppointmentEnd(appointment, timeZone)?.toISOString()) || null,
      sealedPassword: row.sealedPassword,
      passwordOrigin: row.passwordOrigin,
      legacyPkcs12: settings?.legacy_pkcs12 ?? false,
      keyType: settings?.key_type ?? 'RSA-2048',
      hasWebhook: row.hasWebhook,
      isRetrieved: familyPlans[row.family].isRetrieved,
    };
  };
}
