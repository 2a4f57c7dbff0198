import type * as issuanceContract from '@rubrica/contracts/services/schemas/issuance';
import {
  type IdentityField,
  type IdentityFieldSettings,
  identityFields,
  isCertifiableEmail,
  type NameAttribute,
  type NameAttributeKey,
  type PersonType,
  type Result,
  type Subscriber,
  type SubscriberProfile,
  subscriberProfile,
  subscriberSubject,
  subscriberValidity,
  type Validity,
} from '@rubrica/pki';
import { IssuanceFailed } from './issuance-failed.ts';

type Order = issuanceContract.IssuanceOrder;

/** Content of the certificate, before there is a key. */
export interface CertificatePlan {
  readonly profile: SubscriberProfile;
  readonly subject: readonly NameAttribute[];
  readonly truncated: readonly NameAttributeKey[];
  readonly email: string | undefined;
  readonly identityFields: readonly IdentityField[];
  readonly validity: Validity;
}

export interface PlanRules {
  readonly now: Date;
  readonly timeZone: string;
  readonly issuerNotAfter: Date;
  readonly rucPrefix: string;
  readonly subjectEmail: boolean;
  readonly privateFields: IdentityFieldSettings['named'];
}

/**
 * Plans the content of a certificate.
 * @throws IssuanceFailed when the order does not fit its profile
 */
export function planCertificate(order: Order, rules: PlanRules): CertificatePlan {
  const profile = subscriberProfile(toPersonType(order), order.certificateType);
  const { subject } = order;
  const subscriber = toSubscriber(subject);
  const name = unwrap(
    subscriberSubject(profile, subscriber, rules.rucPrefix),
    ({ code, attribute }) =>
      new IssuanceFailed('CERTIFICATE_LINT_FAILED', { reason: `${code} ${attribute}` }),
  );
  const validity = unwrap(
    subscriberValidity({
      period: order.period,
      now: rules.now,
      timeZone: rules.timeZone,
      issuerNotAfter: rules.issuerNotAfter,
      appointmentEndsAt: appointmentEnd(order, profile),
    }),
    ({ cappedBy }) =>
      new IssuanceFailed(cappedBy === 'APPOINTMENT' ? 'APPOINTMENT_EXPIRED' : 'CERTIFICATE_SIGNING_FAILED', {
        reason: `no validity left before the end of ${cappedBy}`,
      }),
  );
  const hasEmail = rules.subjectEmail && subject.email !== null && isCertifiableEmail(subject.email);
  return {
    profile,
    subject: name.attributes,
    truncated: name.truncated,
    email: hasEmail ? (subject.email ?? undefined) : undefined,
    identityFields: identityFields(profile, subscriber, rules.privateFields),
    validity,
  };
}

function toSubscriber(subject: Order['subject']): Subscriber {
  return {
    identificationNumber: subject.identificationNumber,
    givenNames: subject.givenName,
    firstSurname: subject.firstSurname,
    secondSurname: subject.secondSurname ?? undefined,
    countryCode: subject.countryCode,
    locality: subject.city,
    ruc: subject.companyRuc ?? undefined,
    organizationName: subject.companySocialReason ?? undefined,
    title: subject.positionCompany ?? undefined,
    address: subject.address ?? undefined,
    phone: subject.phone ?? undefined,
  };
}

function appointmentEnd({ appointmentExpiresAt }: Order, profile: SubscriberProfile): Date | undefined {
  if (!profile.endsWithAppointment || appointmentExpiresAt === null) return undefined;
  return new Date(appointmentExpiresAt);
}

function toPersonType({ applicationType, subject }: Order): PersonType {
  if (applicationType === 'LEGAL_REPRESENTATIVE') return 'LEGAL_REPRESENTATIVE';
  return subject.companyRuc === null ? 'NATURAL_PERSON' : 'NATURAL_PERSON_WITH_RUC';
}

function unwrap<T, E>(result: Result<T, E>, failure: (error: E) => IssuanceFailed): T {
  if (!result.ok) throw failure(result.error);
  return result.value;
}
