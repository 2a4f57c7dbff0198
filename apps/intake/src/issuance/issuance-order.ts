import type * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import type {
  ApplicationType,
  CertificateType,
  Family,
  Period,
  Status,
} from '@rubrica/contracts/shared/enumerations';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { requestNotFound, stateNotAllowed } from '../errors.ts';
import { parseAppointmentEnd } from '../request/date-input.ts';
import { detailText } from '../request/detail-text.ts';
import { familyPlans } from '../request/family-plans.ts';
import type { Details } from '../request/request.entity.ts';

function surnameOf(details: Details): string {
  return [detailText(details, 'applicantLastName'), detailText(details, 'applicantSecondLastName')]
    .filter(Boolean)
    .join(' ');
}

type IssuanceOrder = UseCase<'intake', 'issuance.order'>;

interface Row {
  readonly status: Status;
  readonly current: boolean;
  readonly application_type: ApplicationType;
  readonly certificate_type: CertificateType;
  readonly period: Period;
  readonly identification_number: string;
  readonly details: Details;
  readonly sealed_password: string | null;
  readonly password_origin: intakeContract.IssuanceOrder['passwordOrigin'];
  readonly legacy_pkcs12: boolean;
  readonly has_webhook: boolean;
  readonly family: Family;
}

const text = `
select status, status = 'GENERATING' and generation_attempt = $2 as current, application_type, certificate_type,
  period, identification_number, details, sealed_password, password_origin, legacy_pkcs12,
  callback_url is not null as has_webhook, family
from request join partner on partner.id = request.partner_id where request.id = $1`;

/**
 * What generation needs for one certificate, in one statement: it is asked for each. Given out for the attempt in
 * hand only: a job that was overtaken by a retry gets no data to issue from.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED
 */
export function createIssuanceOrder({
  database,
  timeZone,
}: Pick<IntakeDeps, 'database' | 'timeZone'>): IssuanceOrder {
  return async ({ requestId, attempt }) => {
    const params = [requestId, attempt];
    const [row] = await database.statement<Row>({ name: 'issuance-order', text, params });
    if (!row) throw requestNotFound();
    if (!row.current) throw stateNotAllowed(row.status);
    const { details } = row;
    const appointment = detailText(details, 'expirationDateAppointment');
    return {
      requestId,
      attempt,
      applicationType: row.application_type,
      certificateType: row.certificate_type,
      period: row.period,
      subject: {
        identificationNumber: row.identification_number,
        givenName: detailText(details, 'applicantName') ?? '',
        surname: surnameOf(details),
        email: detailText(details, 'email'),
        city: detailText(details, 'city') ?? '',
        countryCode: 'EC',
        companyRuc: detailText(details, 'companyRuc'),
        companySocialReason: detailText(details, 'companySocialReason'),
        positionCompany: detailText(details, 'positionCompany'),
      },
      appointmentExpiresAt:
        (appointment && parseAppointmentEnd(appointment, timeZone)?.toISOString()) || null,
      sealedPassword: row.sealed_password,
      passwordOrigin: row.password_origin,
      legacyPkcs12: row.legacy_pkcs12,
      hasWebhook: row.has_webhook,
      isRetrieved: familyPlans[row.family].isRetrieved,
    };
  };
}
