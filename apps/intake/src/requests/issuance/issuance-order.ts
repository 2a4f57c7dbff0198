import type * as issuanceContract from '@rubrica/contracts/services/schemas/issuance';
import * as orderContract from '@rubrica/contracts/services/schemas/order-statement';
import type { KeyType } from '@rubrica/contracts/shared/enumerations';
import type { RowGuard } from '@rubrica/database/guarded';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import { requestNotFound, stateNotAllowed } from '../../base/errors.ts';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { RequestsDeps } from '../deps.ts';
import { getDetailText } from '../request/detail-text.ts';
import { familyPlans } from '../request/family-plans.ts';
import { parseAppointmentEnd } from '../request/parse-appointment-end.ts';
import type { Decision } from '../request/registered/decision.ts';
import { findIssuanceDecision } from '../request/registered/decision-in-force.ts';
import {
  computePasswordSha256,
  type RegisteredData,
  registeredSql,
  type StoredRegistration,
  toRegistered,
} from '../request/registered/registered-data.ts';
import { historySql, type RequestHistory } from '../request/registered/request-history.ts';
import type { Request } from '../request/request.entity.ts';

type IssuanceOrder = UseCase<'intake', 'issuance.order'>;
type Order = Omit<issuanceContract.IssuanceOrder, 'statement'>;

interface OrderRow extends Pick<Request, 'status'>, Pick<Order, 'sealedPassword'> {
  readonly isCurrent: boolean;
  readonly stored: StoredRegistration;
  readonly history: RequestHistory;
  readonly partner: { readonly legacy_pkcs12: boolean; readonly key_type: KeyType };
}

const find = statement<{ readonly requestId: string; readonly attempt: number }, OrderRow>({
  name: 'issuance-order',
  groupCommit: true,
  sql: `
select status, status = 'GENERATING' and generation_attempt = :attempt as "isCurrent",
  ${registeredSql('request')} as stored, ${historySql('request.id')} as history,
  sealed_password as "sealedPassword", to_jsonb(partner) as partner
from request join partner on partner.id = request.partner_id where request.id = :requestId`,
});

/**
 * Returns the data for one certificate to generation, with the statement that intake decided to issue it.
 * They are returned for the current attempt only: a job that a retry has overtaken gets no data to issue
 * from. A row in GENERATING decides nothing. The order rests on the registered data and the decision under
 * their MAC, and on the timeline, which nobody can shorten.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED; SERVICE_UNAVAILABLE while the request is not
 *   authentic
 */
export function createIssuanceOrder(
  deps: Pick<RequestsDeps, 'database' | 'timeZone' | 'rows' | 'keyring'>,
): IssuanceOrder {
  const { database, rows } = deps;
  return async ({ requestId, attempt, privateFields }) => {
    const [row] = await find.run(database, { requestId, attempt });
    if (!row) throw requestNotFound();
    if (!row.isCurrent) throw stateNotAllowed(row.status);
    const decision = verifyDecision(row, rows);
    const registered = toRegistered(row.stored);
    const order = toOrder(row, { registered, attempt, privateFields }, deps);
    const { callbackUrl } = registered;
    return { ...order, statement: writeOrderStatement({ order, callbackUrl, decision }, deps) };
  };
}

/** @throws AppError SERVICE_UNAVAILABLE, with an alarm, if nothing proves that intake decided to issue */
function verifyDecision({ stored, history, sealedPassword }: OrderRow, rows: RowGuard): Decision {
  const decision = findIssuanceDecision(rows, stored, history);
  if (decision === null) throw createRepairError();
  if (computePasswordSha256(sealedPassword) === stored.password_sha256) return decision;
  rows.reportFailed({ table: 'request', id: String(stored.id) });
  throw createRepairError();
}

/** Creates an error that does not end the attempt: what was altered in the database may be repaired. */
function createRepairError(): AppError {
  return new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 30 });
}

interface OrderOptions {
  readonly registered: RegisteredData;
  readonly attempt: number;
  readonly privateFields: readonly ('address' | 'phone')[];
}

function toOrder(
  { partner, sealedPassword }: OrderRow,
  { registered, attempt, privateFields }: OrderOptions,
  { timeZone, rows }: Pick<RequestsDeps, 'timeZone' | 'rows'>,
): Order {
  const { details, applicationType, certificateType, period, passwordOrigin, family } = registered;
  // A partner row that this service did not write changes nothing: its certificates get the default settings.
  const settings = rows.isIntact('partner', partner) ? partner : undefined;
  const appointment = getDetailText(details, 'expirationDateAppointment');
  return {
    requestId: registered.id,
    partnerId: registered.partnerId,
    attempt,
    ...{ applicationType, certificateType, period, passwordOrigin, sealedPassword },
    subject: toSubject(registered, privateFields),
    appointmentExpiresAt: (appointment && parseAppointmentEnd(appointment, timeZone)?.toISOString()) || null,
    legacyPkcs12: settings?.legacy_pkcs12 ?? false,
    keyType: settings?.key_type ?? 'RSA-2048',
    hasWebhook: registered.callbackUrl !== null,
    isRetrieved: familyPlans[family].isRetrieved,
  };
}

/**
 * Returns whether the tax number is of the natural person: the cédula and an establishment. The tax registry
 * is asked whether it is active, and only for a representative whether they represent it. A number of another
 * owner must not be certified.
 */
function isOwnRuc(details: RegisteredData['details'], identificationNumber: string): boolean {
  return getDetailText(details, 'companyRuc')?.startsWith(identificationNumber) ?? false;
}

/** Builds the person of a certificate, as generation receives it. */
export function toSubject(
  {
    identificationNumber,
    applicationType,
    details,
  }: Pick<RegisteredData, 'identificationNumber' | 'applicationType' | 'details'>,
  privateFields: OrderOptions['privateFields'],
): Order['subject'] {
  return {
    identificationNumber,
    givenName: getDetailText(details, 'applicantName') ?? '',
    firstSurname: getDetailText(details, 'applicantLastName') ?? '',
    secondSurname: getDetailText(details, 'applicantSecondLastName'),
    email: getDetailText(details, 'email'),
    address: privateFields.includes('address') ? getDetailText(details, 'address') : null,
    phone: privateFields.includes('phone') ? getDetailText(details, 'cellphoneNumber') : null,
    city: getDetailText(details, 'city') ?? '',
    countryCode: 'EC',
    companyRuc:
      applicationType === 'LEGAL_REPRESENTATIVE' || isOwnRuc(details, identificationNumber)
        ? getDetailText(details, 'companyRuc')
        : null,
    companySocialReason: getDetailText(details, 'companySocialReason'),
    positionCompany: getDetailText(details, 'positionCompany'),
  };
}

interface OrderStatementInput {
  readonly order: Order;
  readonly callbackUrl: string | null;
  readonly decision: Decision;
}

/**
 * Signs the order of one certificate, from verified data and a decision in force. It is the same at each
 * call, so it is stored nowhere, and restoring an earlier database invalidates none.
 */
function writeOrderStatement(
  { order, callbackUrl, decision }: OrderStatementInput,
  { keyring }: Pick<RequestsDeps, 'keyring'>,
): string {
  const { subject, sealedPassword, hasWebhook: _hasWebhook, ...plain } = order;
  const claims: Omit<orderContract.OrderStatement, 'iss'> = {
    aud: 'generation',
    iat: Math.floor(Date.parse(decision.at) / 1_000),
    ...plain,
    subjectSha256: sha256Hex(orderContract.subjectText(subject)),
    passwordSha256: computePasswordSha256(sealedPassword),
    callbackSha256: callbackUrl === null ? null : sha256Hex(callbackUrl),
    checks: [...decision.checks],
    approvals: [...decision.approvals],
  };
  return keyring.signStatement(orderContract.orderStatementType, claims);
}
