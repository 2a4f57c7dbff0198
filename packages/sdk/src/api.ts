// Generated from packages/contracts by scripts/generate.ts. Do not edit.
import type { FileContent } from './files.ts';

export interface AdvanceClock {
  referenceTransaction: string;
  /** Days to advance; calls add up */
  days: number;
}

export interface AdvancedClock {
  referenceTransaction: string;
  /** Total days */
  advancedDays: number;
  /** Present time of this request; ISO 8601 without zone */
  now: string;
}

export type ApplicationType = 'NATURAL_PERSON' | 'LEGAL_REPRESENTATIVE';

export interface BatchLine {
  /** Number of the line in the batch, from 1; blank lines count */
  line: number;
  /** HTTP status that the registration would have had as a single call */
  status: number;
  /** Seconds until the line may be sent again, with 429 and 503 */
  retryAfter?: number;
  /** Body that the registration would have had as a single call */
  body: LinkedPartnerResult | DryRunResult | ErrorObject;
}

export interface CancelRequest {
  linkedPartnerRequestId?: string;
  referenceTransaction?: string;
  reason?: string;
}

export interface CancelResult {
  linkedPartnerRequestId: string;
  referenceTransaction: string;
  status: Status;
  validationStatus: ValidationStatus;
  updatedDate: string;
}

export interface CertificateExpiringEvent {
  referenceTransaction: string;
  serialNumber: string;
  /** End of the certificate; ISO 8601 without zone */
  notAfter: string;
  /** Days until the end, rounded up, when the event was written */
  daysLeft: number;
}

export interface CertificateIssuedEvent {
  referenceTransaction: string;
  /** PKCS#12, DER in base64 */
  file: string;
  /** Absent if the applicant chose it at the claim */
  password?: string;
  serialNumber: string;
}

export interface CertificatePage {
  items: Array<ListedCertificate>;
  /** `cursor` of the next page; `null` on the last page. A page may have fewer items than `limit` */
  nextCursor: string | null;
}

export interface CertificateRevokedEvent {
  referenceTransaction: string;
  serialNumber: string;
  /** Reason, as named in RFC 5280 §5.3.1 */
  revocationReason:
    | 'unspecified'
    | 'keyCompromise'
    | 'affiliationChanged'
    | 'superseded'
    | 'cessationOfOperation'
    | 'privilegeWithdrawn';
  /** ISO 8601 without zone */
  revokedAt: string;
}

export type CertificateStatus = 'VALID' | 'REVOKED' | 'EXPIRED';

export type CertificateType = 'TRADITIONAL_SIGNATURE' | 'TRANSACTIONAL_SIGNATURE';

export interface DryRunResult {
  /** `false`: the request would be registered in ERROR, for the reasons in `errors` */
  valid: boolean;
  /** Findings that do not prevent the registration */
  warnings: Array<Warning>;
  errors?: Array<{
    code: ErrorCode;
    field?: string;
    message: string;
    correctable: boolean;
    retryable: boolean;
  }>;
}

export type ErrorCode =
  | 'DUPLICATED_REFERENCE_TRANSACTION'
  | 'QUOTA_EXCEEDED'
  | 'FIELD_REQUIRED'
  | 'FIELD_INVALID'
  | 'INVALID_PERIOD'
  | 'INVALID_APPLICATION_TYPE'
  | 'INVALID_DOCUMENT_TYPE'
  | 'INVALID_CERTIFICATE_TYPE'
  | 'INVALID_TERMS_TYPE'
  | 'PASSWORD_REQUIRED'
  | 'COMPANY_DATA_REQUIRED'
  | 'APPOINTMENT_EXPIRED'
  | 'CALLBACK_URL_NOT_ALLOWED'
  | 'TERMS_NOT_ACCEPTED'
  | 'TERMS_OUTDATED'
  | 'NO_ACTIVE_TERMS'
  | 'FILE_TOO_LARGE'
  | 'FILE_TYPE_NOT_ALLOWED'
  | 'AUTHORIZATION_VIDEO_REQUIRED'
  | 'IDENTITY_CERTIFICATE_FLAG_REQUIRED'
  | 'COMPANY_RUC_DOCUMENT_REQUIRED'
  | 'COMPANY_DOCUMENT_REQUIRED'
  | 'FIELD_NOT_CORRECTABLE'
  | 'BODY_MALFORMED'
  | 'BODY_TOO_LARGE'
  | 'METHOD_NOT_ALLOWED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDENTIFICATION_NUMBER_INVALID'
  | 'IDENTIFICATION_NOT_FOUND'
  | 'FINGER_CODE_MISMATCH'
  | 'NAME_MISMATCH'
  | 'APPLICANT_UNDERAGE'
  | 'APPLICANT_DECEASED'
  | 'DOCUMENT_ILLEGIBLE'
  | 'SELFIE_MISMATCH'
  | 'RUC_INVALID'
  | 'RUC_INACTIVE'
  | 'REPRESENTATIVE_NOT_CONFIRMED'
  | 'EVIDENCE_INVALID'
  | 'EVIDENCE_MISSING'
  | 'REVIEW_REJECTED'
  | 'APPLICANT_DISPUTED'
  | 'APPLICANT_DATA_WRONG'
  | 'LIVENESS_FAILED'
  | 'LIVENESS_SESSION_EXPIRED'
  | 'LIVENESS_ATTEMPTS_EXCEEDED'
  | 'EXTERNAL_SERVICE_UNAVAILABLE'
  | 'KEY_GENERATION_FAILED'
  | 'CERTIFICATE_LINT_FAILED'
  | 'CERTIFICATE_SIGNING_FAILED'
  | 'P12_PACKAGING_FAILED'
  | 'RETRY_LIMIT_EXCEEDED'
  | 'REQUEST_STATE_NOT_ALLOWED'
  | 'REQUEST_NOT_FOUND'
  | 'CERTIFICATE_NOT_FOUND'
  | 'CERTIFICATE_ALREADY_REVOKED'
  | 'RENEWAL_NOT_OPEN'
  | 'OTP_INVALID'
  | 'OTP_EXPIRED'
  | 'OTP_ATTEMPTS_EXCEEDED'
  | 'PAYLOAD_EXPIRED'
  | 'CLAIM_LINK_INVALID'
  | 'CLAIM_LINK_EXPIRED'
  | 'RESEND_LIMIT_EXCEEDED'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'SECOND_ADMINISTRATOR_NEEDED'
  | 'REVIEW_CHANGED'
  | 'FRESH_PROOF_NEEDED'
  | 'CODES_LOCKED'
  | 'PASSKEY_NEEDED'
  | 'ROUTE_NOT_FOUND'
  | 'RATE_LIMITED'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL_ERROR';

export interface ErrorObject {
  timestamp: string;
  status: number;
  /** Reason phrase of the status; on the token endpoint the code of RFC 6749 §5.2 */
  error: string;
  message: string;
  path: string;
  code: ErrorCode;
  messages: Array<string>;
  errors: Array<{
    code: ErrorCode;
    field?: string;
    message: string;
    correctable: boolean;
    retryable: boolean;
  }>;
  traceId: string;
  /** Documentation page of `code`, with its cause and remedy */
  docUrl: string;
}

export interface EventAttempt {
  /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
  at: string;
  status: number | null;
  durationMs: number;
  error: string | null;
}

export interface EventPage {
  items: Array<ListedEvent>;
  /** `cursor` of the next page; `null` on the last page. A page may have fewer items than `limit` */
  nextCursor: string | null;
}

export interface EvidenceItem {
  evidenceFile?: FileContent;
  evidenceType?: 'IDENTITY_DOCUMENT' | 'SELFIE' | 'LIVENESS_VIDEO' | 'CONTRACT' | 'AUTHORIZATION' | 'OTHER';
  /** Stored, never fetched */
  validatorUrl?: string;
}

export type Family = 'TV' | 'FR' | 'FT' | 'FS' | 'API';

export interface IdentityValidation {
  signatureRequestId: string;
  /** Must be true if an identity image is an identity and civil-status certificate */
  isIdentityCertificate?: boolean;
  /** Front of the identity document: JPEG, PNG, or an identity certificate as PDF */
  identificationFront: FileContent;
  /** Back of the identity document; may be left out with an identity certificate */
  identificationBack?: FileContent;
  /** Selfie of the applicant: JPEG or PNG */
  identificationSelfie: FileContent;
}

export interface IdentityValidationResult {
  signatureRequestId: string;
  result: 'APPROVED' | 'REJECTED';
  nextStep: NextStep;
  attemptsRemaining: number;
  failureReasons: Array<ErrorCode>;
}

export interface IssuanceRequest {
  signatureRequestId: string;
  /** 8 to 64 characters of printable ASCII (U+0020 to U+007E), used unchanged */
  password?: string;
}

export interface IssuanceResult {
  signatureRequestId: string;
  referenceTransaction: string;
  status: Status;
  validationStatus: ValidationStatus;
  nextStep: NextStep;
  /** PKCS#12, DER in base64; present once the status is GENERATED */
  file?: string;
  /** Present if the service generated it */
  password?: string;
  serialNumber?: string;
  /** ISO 8601 without zone, with milliseconds */
  notBefore?: string;
  /** ISO 8601 without zone, with milliseconds */
  notAfter?: string;
}

export interface LinkedPartnerRequest {
  /** Cédula, 10 digits */
  identificationNumber: string;
  applicantName: string;
  applicantLastName: string;
  applicantSecondLastName?: string;
  /** Fingerprint code of the identity card, 10 characters */
  fingerCode: string;
  email: string;
  secondEmail?: string;
  /** E.164, for example +593991234567 */
  cellphoneNumber: string;
  city: string;
  address: string;
  documentType: 'CI';
  applicationType: ApplicationType;
  referenceTransaction: string;
  /** Required for TRADITIONAL_SIGNATURE; only ONE_WEEK for TRANSACTIONAL_SIGNATURE */
  period?: Period;
  certificateType: CertificateType;
  callbackUrl: string;
  /** RUC, 13 digits */
  companyRuc?: string;
  positionCompany?: string;
  companySocialReason?: string;
  expirationDateAppointment?: string;
  evidences: Array<EvidenceItem>;
  /** 8 to 64 characters of printable ASCII (U+0020 to U+007E), used unchanged */
  password?: string;
}

export interface LinkedPartnerResult {
  linkedPartnerRequestId: string;
  referenceTransaction: string;
  status: 'REGISTERED' | 'ERROR';
  validationStatus: 'PENDING' | 'ERROR';
  /** yyyy-MM-dd HH:mm:ss */
  createdAt: string;
  message?: string;
  errors: Array<{
    code: ErrorCode;
    field?: string;
    message: string;
    correctable: boolean;
    retryable: boolean;
  }>;
}

export interface LinkedPartnerStatus {
  linkedPartnerRequestId: string;
  referenceTransaction: string;
  status: Status;
  validationStatus: ValidationStatus;
  applicationType: ApplicationType | null;
  certificateType: CertificateType;
  period: Period | null;
  correctableFields: Array<string>;
  retryCount: number;
  retriesRemaining: number;
  /** Upper-case hexadecimal, as OpenSSL prints it */
  serialNumber: string | null;
  certificateStatus: CertificateStatus | null;
  renewalOf?: RenewalOf;
  renewedBy?: RenewedBy;
  observation: {
    type: 'ALERT' | 'WARNING' | 'INFO';
    code: ErrorCode | string;
    message: string;
    /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
    createdDate: string;
  } | null;
  observations: Array<{
    type: 'ALERT' | 'WARNING' | 'INFO';
    code: ErrorCode | string;
    message: string;
    /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
    createdDate: string;
  }>;
  notBefore: string | null;
  notAfter: string | null;
  /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
  createdDate: string;
  /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
  updatedDate: string;
}

export interface ListedCertificate {
  serialNumber: string;
  referenceTransaction: string;
  family: Family;
  certificateType: CertificateType;
  status: CertificateStatus;
  /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
  notBefore: string;
  /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
  notAfter: string;
  revocationReason:
    | 'unspecified'
    | 'keyCompromise'
    | 'affiliationChanged'
    | 'superseded'
    | 'cessationOfOperation'
    | 'privilegeWithdrawn'
    | 'certificateHold'
    | null;
  revokedAt: string | null;
}

export interface ListedEvent {
  /** `webhook-id` of its calls */
  eventId: string;
  type:
    | 'certificate.issued'
    | 'request.error'
    | 'request.refused'
    | 'certificate.expiring'
    | 'certificate.revoked';
  /** Code of the error or refusal that the event reports */
  code: string | null;
  referenceTransaction: string;
  /** Scheme, host and port of the `callbackUrl` */
  destination: string;
  state: 'PENDING' | 'DELIVERED' | 'FAILED';
  attempts: number;
  /** HTTP status of the last answer of the receiver */
  lastStatus: number | null;
  lastError: string | null;
  nextAttemptAt: string | null;
  /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
  createdDate: string;
  deliveredDate: string | null;
}

export interface ListedRequest {
  requestId: string;
  referenceTransaction: string;
  family: Family;
  status: Status;
  validationStatus: ValidationStatus;
  certificateType: CertificateType;
  applicationType: ApplicationType | null;
  /** Code of the error; `null` if there is none */
  code: string | null;
  serialNumber: string | null;
  notAfter: string | null;
  certificateStatus: CertificateStatus | null;
  /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
  createdDate: string;
  /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
  updatedDate: string;
}

export interface LivenessCheck {
  signatureRequestId: string;
  livenessSessionId: string;
}

export interface LivenessCheckResult {
  livenessSessionId: string;
  status: 'CREATED' | 'IN_PROGRESS' | 'SUCCEEDED' | 'FAILED' | 'EXPIRED';
  /** 0 to 100; null until it is known */
  livenessConfidence: number | null;
  /** 0 to 100; null until it is known */
  faceMatchConfidence: number | null;
  /** Null until the session has an outcome */
  result: 'APPROVED' | 'REJECTED' | null;
  failureReasons: Array<ErrorCode>;
  nextStep: NextStep;
}

export interface LivenessRequest {
  signatureRequestId: string;
}

export interface LivenessSession {
  livenessSessionId: string;
  /** Address that the applicant opens on a phone */
  livenessUrl: string;
  /** ISO 8601 without zone, with milliseconds */
  expiresAt: string;
  attemptNumber: number;
  maxAttempts: 3;
}

export type NextStep = 'IDENTITY_VALIDATION' | 'LIVENESS_REQUEST' | 'LIVENESS_CHECK' | 'ISSUANCE' | 'NONE';

export type Period =
  | 'ONE_WEEK'
  | 'ONE_MONTH'
  | 'ONE_YEAR'
  | 'TWO_YEARS'
  | 'THREE_YEARS'
  | 'FOUR_YEARS'
  | 'FIVE_YEARS';

export interface RecoverEvents {
  /** Time of the events, at most 14 days ago */
  from: string;
  /** Before this time; default now */
  to?: string;
}

export interface RecoveredEvents {
  resent: number;
  expired: number;
}

export interface ReferenceErrorCode {
  code: ErrorCode;
  /** Display name, in the language of `Content-Language` */
  name: string;
  /** Parent of the code; see the description of the list */
  parentCode: string | null;
  /** Family that the row applies to; null: all families */
  family: Family | null;
  /** True if the value may be used today. Retired values stay in the list, so that existing records can be displayed */
  active: boolean;
  /** The applicant's data can be corrected and the step run again */
  correctable: boolean;
  /** True if the same call, or a rerun of the same step, may succeed later */
  retryable: boolean;
}

export interface ReferenceItem {
  /** Value in requests and answers */
  code: string;
  /** Display name, in the language of `Content-Language` */
  name: string;
  /** Parent of the code; see the description of the list */
  parentCode: string | null;
  /** Family that the row applies to; null: all families */
  family: Family | null;
  /** True if the value may be used today. Retired values stay in the list, so that existing records can be displayed */
  active: boolean;
}

export interface RegularCorrection {
  requestId?: string;
  referenceTransaction?: string;
  /** Fingerprint code of the identity card, 10 characters */
  fingerCode?: string;
  emailAddress?: string;
  /** E.164, for example +593991234567 */
  cellphoneNumber?: string;
  /** Sent with an identity image: must be true if it is an identity certificate */
  isIdentityCertificate?: boolean;
  /** Front of the identity document: JPEG, PNG, or an identity certificate as PDF */
  identificationFront?: FileContent;
  /** Back of the identity document; may be left out with an identity certificate */
  identificationBack?: FileContent;
  /** Selfie of the applicant: JPEG or PNG */
  identificationSelfie?: FileContent;
  /** Tax registration, required with `companyRuc`: PDF */
  pdfCompanyRuc?: FileContent;
  /** Appointment of a legal representative: PDF */
  pdfRepresentativeAppointment?: FileContent;
  /** Constitution of the company of a legal representative: PDF */
  pdfCompanyConstitution?: FileContent;
  /** Required for applicants aged 65 or more: MP4, MOV or WebM */
  authorizationVideo?: FileContent;
}

export interface RegularRequest {
  /** Cédula, 10 digits */
  identificationNumber: string;
  /** Fingerprint code of the identity card, 10 characters */
  fingerCode: string;
  emailAddress: string;
  /** E.164, for example +593991234567 */
  cellphoneNumber: string;
  /** Name or code of a province, ignoring accents and case */
  province: string;
  /** Name or code of a canton of the province, ignoring accents and case */
  city: string;
  address: string;
  /** ISO 3166-1 alpha-3 */
  countryCode: string;
  documentType: 'CI';
  applicationType: ApplicationType;
  period: Period;
  referenceTransaction: string;
  /** Must be true if an identity image is an identity and civil-status certificate */
  isIdentityCertificate?: boolean;
  /** RUC, 13 digits */
  companyRuc?: string;
  positionCompany?: string;
  companySocialReason?: string;
  appointmentExpirationDate?: string;
  callbackUrl?: string;
  /** Front of the identity document: JPEG, PNG, or an identity certificate as PDF */
  identificationFront: FileContent;
  /** Back of the identity document; may be left out with an identity certificate */
  identificationBack?: FileContent;
  /** Selfie of the applicant: JPEG or PNG */
  identificationSelfie: FileContent;
  /** Tax registration, required with `companyRuc`: PDF */
  pdfCompanyRuc?: FileContent;
  /** Appointment of a legal representative: PDF */
  pdfRepresentativeAppointment?: FileContent;
  /** Constitution of the company of a legal representative: PDF */
  pdfCompanyConstitution?: FileContent;
  /** Required for applicants aged 65 or more: MP4, MOV or WebM */
  authorizationVideo?: FileContent;
}

export interface RegularResult {
  requestId: string;
  referenceTransaction: string;
  /** yyyy-MM-dd HH:mm:ss */
  createdAt: string;
}

export interface RegularStatus {
  requestId: string;
  referenceTransaction: string;
  status: Status;
  validationStatus: ValidationStatus;
  applicationType: ApplicationType | null;
  certificateType: CertificateType;
  period: Period | null;
  correctableFields: Array<string>;
  retryCount: number;
  retriesRemaining: number;
  /** Upper-case hexadecimal, as OpenSSL prints it */
  serialNumber: string | null;
  certificateStatus: CertificateStatus | null;
  renewalOf?: RenewalOf;
  renewedBy?: RenewedBy;
  observation: {
    type: 'ALERT' | 'WARNING' | 'INFO';
    code: ErrorCode | string;
    message: string;
    /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
    createdDate: string;
  } | null;
  observations: Array<{
    type: 'ALERT' | 'WARNING' | 'INFO';
    code: ErrorCode | string;
    message: string;
    /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
    createdDate: string;
  }>;
  notBefore: string | null;
  notAfter: string | null;
  /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
  createdDate: string;
  /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
  updatedDate: string;
}

export interface RenewCertificate {
  serialNumber?: string;
  referenceTransaction?: string;
  /** Reference of the new request */
  newReferenceTransaction: string;
  /** `true`: once the new certificate is issued, the former one is revoked with the reason `superseded` */
  supersede?: boolean;
  /** Fingerprint code of the identity card, 10 characters */
  fingerCode?: string;
  email?: string;
  secondEmail?: string;
  emailAddress?: string;
  /** E.164, for example +593991234567 */
  cellphoneNumber?: string;
  /** Name or code of a province, ignoring accents and case */
  province?: string;
  city?: string;
  address?: string;
  /** ISO 3166-1 alpha-3 */
  countryCode?: string;
  period?: Period;
  callbackUrl?: string;
  positionCompany?: string;
  companySocialReason?: string;
  expirationDateAppointment?: string;
  appointmentExpirationDate?: string;
  /** Must be true if an identity image is an identity and civil-status certificate */
  isIdentityCertificate?: boolean;
  /** Front of the identity document: JPEG, PNG, or an identity certificate as PDF */
  identificationFront?: FileContent;
  /** Back of the identity document; may be left out with an identity certificate */
  identificationBack?: FileContent;
  /** Selfie of the applicant: JPEG or PNG */
  identificationSelfie?: FileContent;
  /** Tax registration, required with `companyRuc`: PDF */
  pdfCompanyRuc?: FileContent;
  /** Appointment of a legal representative: PDF */
  pdfRepresentativeAppointment?: FileContent;
  /** Constitution of the company of a legal representative: PDF */
  pdfCompanyConstitution?: FileContent;
  /** Required for applicants aged 65 or more: MP4, MOV or WebM */
  authorizationVideo?: FileContent;
  /** Linked partner only; replaces all former evidences */
  evidences?: Array<EvidenceItem>;
  /** Ignored if the family has no such field */
  password?: string;
}

export interface RenewalOf {
  referenceTransaction: string;
  serialNumber: string;
}

export interface RenewalResult {
  linkedPartnerRequestId?: string;
  requestId?: string;
  transactionalRequestId?: string;
  simplifiedRequestId?: string;
  referenceTransaction: string;
  status?: Status;
  validationStatus?: ValidationStatus;
  /** yyyy-MM-dd HH:mm:ss */
  createdAt: string;
  message?: string;
  errors?: Array<{
    code: ErrorCode;
    field?: string;
    message: string;
    correctable: boolean;
    retryable: boolean;
  }>;
  renewalOf: RenewalOf;
}

export interface RenewedBy {
  referenceTransaction: string;
  /** `null` until the certificate is issued */
  serialNumber: string | null;
}

export interface RequestErrorEvent {
  linkedPartnerRequestId: string;
  referenceTransaction: string;
  message: string;
}

export interface RequestPage {
  items: Array<ListedRequest>;
  /** `cursor` of the next page; `null` on the last page. A page may have fewer items than `limit` */
  nextCursor: string | null;
}

export interface RequestRefusedEvent {
  linkedPartnerRequestId: string;
  referenceTransaction: string;
  message: string;
  status: 'REFUSED';
}

export interface ResendRequest {
  linkedPartnerRequestId?: string;
  referenceTransaction?: string;
}

export interface ResendResult {
  linkedPartnerRequestId: string;
  referenceTransaction: string;
  status: Status;
  /** Masked address, for example j***@m***.com */
  sentTo: string;
  resendCount: number;
  resendsRemaining: number;
  linkExpiresAt: string;
  updatedDate: string;
}

export interface RetryRequest {
  linkedPartnerRequestId?: string;
  referenceTransaction?: string;
  /** Fingerprint code of the identity card, 10 characters */
  fingerCode?: string;
  applicantName?: string;
  applicantLastName?: string;
  applicantSecondLastName?: string;
  email?: string;
  secondEmail?: string;
  /** E.164, for example +593991234567 */
  cellphoneNumber?: string;
  evidences?: Array<EvidenceItem>;
  /** Not accepted once the applicant has claimed the request (409): only they know the password */
  password?: string;
}

export interface RetryResult {
  linkedPartnerRequestId: string;
  referenceTransaction: string;
  status: Status;
  retryCount: number;
  retriesRemaining: number;
  updatedDate: string;
}

export interface RevokeCertificate {
  serialNumber?: string;
  referenceTransaction?: string;
  /** Reason, as named in RFC 5280 §5.3.1 */
  reason: 'unspecified' | 'keyCompromise' | 'affiliationChanged' | 'superseded' | 'cessationOfOperation';
  /** Stored in the audit log */
  comment?: string;
}

export interface RevokedCertificate {
  /** Upper-case hexadecimal, as OpenSSL prints it */
  serialNumber: string;
  status: 'REVOKED';
  revocationReason:
    | 'unspecified'
    | 'keyCompromise'
    | 'affiliationChanged'
    | 'superseded'
    | 'cessationOfOperation'
    | 'privilegeWithdrawn'
    | 'certificateHold';
  /** ISO 8601 without zone; time from which the certificate is not valid, as in CRL and OCSP */
  revokedAt: string;
}

export interface ShownEvent {
  /** `webhook-id` of its calls */
  eventId: string;
  type:
    | 'certificate.issued'
    | 'request.error'
    | 'request.refused'
    | 'certificate.expiring'
    | 'certificate.revoked';
  /** Code of the error or refusal that the event reports */
  code: string | null;
  referenceTransaction: string;
  /** Scheme, host and port of the `callbackUrl` */
  destination: string;
  state: 'PENDING' | 'DELIVERED' | 'FAILED';
  attempts: number;
  /** HTTP status of the last answer of the receiver */
  lastStatus: number | null;
  lastError: string | null;
  nextAttemptAt: string | null;
  /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
  createdDate: string;
  deliveredDate: string | null;
  attemptList: Array<EventAttempt>;
  /** Body that is sent, with `{bytes, sha256}` instead of `file` and `password`; `null` once it was deleted */
  body: Record<string, unknown> | null;
}

export interface SignatureRequest {
  /** Id of the active terms that the applicant has accepted */
  termsAndConditionsId: string;
  /** Cédula, 10 digits */
  identificationNumber: string;
  applicantName: string;
  applicantLastName: string;
  applicantSecondLastName?: string;
  /** Fingerprint code of the identity card, 10 characters */
  fingerCode: string;
  email: string;
  secondEmail?: string;
  /** E.164, for example +593991234567 */
  cellphoneNumber: string;
  city: string;
  address: string;
  documentType: 'CI';
  applicationType: ApplicationType;
  referenceTransaction: string;
  period: Period;
  callbackUrl?: string;
  /** RUC, 13 digits */
  companyRuc?: string;
  positionCompany?: string;
  companySocialReason?: string;
  expirationDateAppointment?: string;
  /** May be sent at issuance instead; without one the service generates it */
  password?: string;
}

export interface SignatureRequestResult {
  signatureRequestId: string;
  referenceTransaction: string;
  status: Status;
  nextStep: NextStep;
  /** ISO 8601 without zone, with milliseconds */
  expiresAt: string;
  /** yyyy-MM-dd HH:mm:ss */
  createdAt: string;
}

export interface SignatureRequestStatus {
  signatureRequestId: string;
  referenceTransaction: string;
  status: Status;
  validationStatus: ValidationStatus;
  applicationType: ApplicationType | null;
  certificateType: CertificateType;
  period: Period | null;
  correctableFields: Array<string>;
  retryCount: number;
  retriesRemaining: number;
  /** Upper-case hexadecimal, as OpenSSL prints it */
  serialNumber: string | null;
  certificateStatus: CertificateStatus | null;
  renewalOf?: RenewalOf;
  renewedBy?: RenewedBy;
  observation: {
    type: 'ALERT' | 'WARNING' | 'INFO';
    code: ErrorCode | string;
    message: string;
    /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
    createdDate: string;
  } | null;
  observations: Array<{
    type: 'ALERT' | 'WARNING' | 'INFO';
    code: ErrorCode | string;
    message: string;
    /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
    createdDate: string;
  }>;
  notBefore: string | null;
  notAfter: string | null;
  /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
  createdDate: string;
  /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
  updatedDate: string;
}

export interface SimplifiedCancel {
  simplifiedRequestId?: string;
  referenceTransaction?: string;
  reason?: string;
}

export interface SimplifiedCancelResult {
  simplifiedRequestId: string;
  referenceTransaction: string;
  status: Status;
  validationStatus: ValidationStatus;
  updatedDate: string;
}

export interface SimplifiedRequest {
  /** Cédula, 10 digits */
  identificationNumber: string;
  /** Fingerprint code of the identity card, 10 characters */
  fingerCode: string;
  emailAddress: string;
  /** E.164, for example +593991234567 */
  cellphoneNumber: string;
  period: Period;
  referenceTransaction: string;
  callbackUrl?: string;
}

export interface SimplifiedResult {
  simplifiedRequestId: string;
  referenceTransaction: string;
  status: Status;
  validationStatus: ValidationStatus;
  /** yyyy-MM-dd HH:mm:ss */
  createdAt: string;
}

export interface SimplifiedStatus {
  simplifiedRequestId: string;
  referenceTransaction: string;
  status: Status;
  validationStatus: ValidationStatus;
  applicationType: ApplicationType | null;
  certificateType: CertificateType;
  period: Period | null;
  correctableFields: Array<string>;
  retryCount: number;
  retriesRemaining: number;
  /** Upper-case hexadecimal, as OpenSSL prints it */
  serialNumber: string | null;
  certificateStatus: CertificateStatus | null;
  renewalOf?: RenewalOf;
  renewedBy?: RenewedBy;
  observation: {
    type: 'ALERT' | 'WARNING' | 'INFO';
    code: ErrorCode | string;
    message: string;
    /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
    createdDate: string;
  } | null;
  observations: Array<{
    type: 'ALERT' | 'WARNING' | 'INFO';
    code: ErrorCode | string;
    message: string;
    /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
    createdDate: string;
  }>;
  notBefore: string | null;
  notAfter: string | null;
  /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
  createdDate: string;
  /** ISO 8601 without zone, with milliseconds, in the time zone of the service */
  updatedDate: string;
}

export type Status =
  | 'REGISTERED'
  | 'VALIDATING'
  | 'ERROR'
  | 'APPROVED'
  | 'GENERATING'
  | 'GENERATED'
  | 'REFUSED'
  | 'CANCELLED'
  | 'EXPIRED';

export interface Terms {
  id: string;
  version: string;
  content: string;
  type: CertificateType;
  active: boolean;
  /** ISO 8601 without zone, with milliseconds */
  createdDate: string;
}

export interface TestEvent {
  type:
    | 'certificate.issued'
    | 'request.error'
    | 'request.refused'
    | 'certificate.expiring'
    | 'certificate.revoked';
  /** Address of the receiver; the rules of `callbackUrl` apply */
  url: string;
}

export interface TestedEvent {
  /** True if the receiver answered 2xx */
  delivered: boolean;
  status: number | null;
  durationMs: number;
  error: string | null;
}

export interface TransactionalCertificate {
  transactionalRequestId: string;
  referenceTransaction: string;
  /** PKCS#12, DER in base64 */
  file: string;
  password: string;
  serialNumber: string;
  /** ISO 8601 without zone, with milliseconds */
  notBefore: string;
  /** ISO 8601 without zone, with milliseconds */
  notAfter: string;
  results: Array<ValidationResult>;
}

export interface TransactionalRequest {
  /** Cédula, 10 digits */
  identificationNumber: string;
  applicantName: string;
  applicantLastName: string;
  applicantSecondLastName?: string;
  /** Fingerprint code of the identity card, 10 characters */
  fingerCode: string;
  email: string;
  secondEmail?: string;
  /** E.164, for example +593991234567 */
  cellphoneNumber: string;
  city: string;
  address: string;
  documentType: 'CI';
  applicationType: ApplicationType;
  referenceTransaction: string;
  callbackUrl?: string;
  /** RUC, 13 digits */
  companyRuc?: string;
  positionCompany?: string;
  companySocialReason?: string;
  expirationDateAppointment?: string;
  /** Without one the service generates it */
  password?: string;
}

export interface TransactionalResult {
  transactionalRequestId: string;
  referenceTransaction: string;
  status: Status;
  validationStatus: ValidationStatus;
  /** yyyy-MM-dd HH:mm:ss */
  createdAt: string;
}

export interface TransactionalValidationStatus {
  transactionalRequestId: string;
  referenceTransaction: string;
  status: Status;
  validationStatus: ValidationStatus;
  results: Array<ValidationResult>;
  renewalOf?: RenewalOf;
  renewedBy?: RenewedBy;
}

export interface Usage {
  /** Month of registration */
  month: string;
  /** Present quota, by certificate type; null: none */
  quota: {
    TRADITIONAL_SIGNATURE:
      | number
      | {
          limit: number;
          /** First day, in the time zone of the service */
          from: string;
          /** Last day */
          until: string;
        }
      | null;
    TRANSACTIONAL_SIGNATURE:
      | number
      | {
          limit: number;
          /** First day, in the time zone of the service */
          from: string;
          /** Last day */
          until: string;
        }
      | null;
  };
  /** Sum of `reserved` and `issued`, which counts against a quota */
  used: {
    TRADITIONAL_SIGNATURE: number;
    TRANSACTIONAL_SIGNATURE: number;
  };
  /** Requests that are still open */
  reserved: {
    TRADITIONAL_SIGNATURE: number;
    TRANSACTIONAL_SIGNATURE: number;
  };
  /** Requests with a certificate */
  issued: {
    TRADITIONAL_SIGNATURE: number;
    TRANSACTIONAL_SIGNATURE: number;
  };
  /** Those of `issued` whose certificate was revoked */
  revoked: {
    TRADITIONAL_SIGNATURE: number;
    TRANSACTIONAL_SIGNATURE: number;
  };
  /** Outcomes by family */
  byFamily: {
    TV: UsageOfFamily;
    FR: UsageOfFamily;
    FT: UsageOfFamily;
    FS: UsageOfFamily;
    API: UsageOfFamily;
  };
}

export interface UsageOfFamily {
  /** Sum of the following, plus requests that are still open */
  registered: number;
  /** Requests with a certificate */
  issued: number;
  refused: number;
  cancelled: number;
  expired: number;
}

export interface ValidationResult {
  check: 'IDENTITY' | 'VITAL_STATUS' | 'AGE' | 'FINGER_CODE' | 'NAMES' | 'COMPANY';
  result: 'PENDING' | 'PASSED' | 'FAILED';
  /** Reason of the failure */
  code: ErrorCode | null;
}

export type ValidationStatus =
  | 'PENDING'
  | 'AUTOMATICALLY_VALIDATING'
  | 'MANUALLY_VALIDATING'
  | 'ERROR'
  | 'REFUSED'
  | 'COMPLETED';

export interface Warning {
  code: string;
  field?: string;
  message: string;
}

/** Input and output of each operation. */
export interface Operations {
  /** Get the active terms of a type. */
  activeTerms: {
    input: {
      type: CertificateType;
    };
    output: Terms;
  };
  /** Advance the clock of one request. */
  advanceClock: { input: AdvanceClock; output: AdvancedClock };
  /** Cancel a request that is not yet in generation. */
  cancelLinkedPartner: { input: CancelRequest; output: CancelResult };
  /** Cancel a simplified request that is not yet in generation. */
  cancelSimplified: { input: SimplifiedCancel; output: SimplifiedCancelResult };
  /** Get the outcome of a proof of life. */
  checkLiveness: { input: LivenessCheck; output: LivenessCheckResult };
  /** Correct the fingerprint code, contact data or attachments of a request in error. */
  correctRegular: { input: RegularCorrection; output: RegularStatus };
  /** Issue the certificate. */
  issueSignature: { input: IssuanceRequest; output: IssuanceResult };
  /** Get the status of a request. */
  linkedPartnerStatus: {
    input: {
      linkedPartnerRequestId?: string;
      referenceTransaction?: string;
    };
    output: LinkedPartnerStatus;
  };
  /** List certificates, newest first. */
  listCertificates: {
    input: {
      /** `nextCursor` of the previous page */
      cursor?: string;
      /** Items per page; default 50 */
      limit?: number;
      status?: CertificateStatus;
      /** Ends at this time or later */
      notAfterFrom?: string;
      /** Ends before this time */
      notAfterTo?: string;
      serialNumber?: string;
    };
    output: CertificatePage;
  };
  /** Cities: the cantons of Ecuador. */
  listCities: {
    input: {
      /** Code or name of a province, ignoring accents and case; only its cities are listed */
      province?: string;
      /** Only rows of this family and rows that apply to all families */
      family?: Family;
    };
    output: Array<ReferenceItem>;
  };
  /** List webhook events and their results, newest first. */
  listEvents: {
    input: {
      /** `nextCursor` of the previous page */
      cursor?: string;
      /** Items per page; default 50 */
      limit?: number;
      type?:
        | 'certificate.issued'
        | 'request.error'
        | 'request.refused'
        | 'certificate.expiring'
        | 'certificate.revoked';
      state?: 'PENDING' | 'DELIVERED' | 'FAILED';
      referenceTransaction?: string;
      /** Happened at this time or later */
      from?: string;
      /** Happened before this time */
      to?: string;
    };
    output: EventPage;
  };
  /** Values of `evidenceType`. */
  listEvidenceTypes: {
    input: {
      /** Only rows of this family and rows that apply to all families */
      family?: Family;
    };
    output: Array<ReferenceItem>;
  };
  /** Periods of certificates, by family. */
  listPeriods: {
    input: {
      /** Only rows of this family and rows that apply to all families */
      family?: Family;
    };
    output: Array<ReferenceItem>;
  };
  /** Provinces of Ecuador. */
  listProvinces: {
    input: {
      /** Only rows of this family and rows that apply to all families */
      family?: Family;
    };
    output: Array<ReferenceItem>;
  };
  /** List requests of all families, newest first. */
  listRequests: {
    input: {
      /** `nextCursor` of the previous page */
      cursor?: string;
      /** Items per page; default 50 */
      limit?: number;
      status?: Status;
      validationStatus?: ValidationStatus;
      family?: Family;
      certificateType?: CertificateType;
      /** Code of the error of a request, or of its refusal */
      code?: string;
      identificationNumber?: string;
      /** Reference, or at least its first 3 characters */
      referenceTransaction?: string;
      /** Registered at this time or later */
      from?: string;
      /** Registered before this time */
      to?: string;
    };
    output: RequestPage;
  };
  /** States of a request. */
  listStates: {
    input: {
      /** Only rows of this family and rows that apply to all families */
      family?: Family;
    };
    output: Array<ReferenceItem>;
  };
  /** Types of applicants, certificates, documents and terms, by family. */
  listTypes: {
    input: {
      /** Only rows of this family and rows that apply to all families */
      family?: Family;
    };
    output: Array<ReferenceItem>;
  };
  /** Every code that an error may carry. */
  listValidationErrorCodes: {
    input: {
      /** Only rows of this family and rows that apply to all families */
      family?: Family;
    };
    output: Array<ReferenceErrorCode>;
  };
  /** Get one webhook event with its attempts and its body. */
  readEvent: {
    input: {
      /** `webhook-id` of the event */
      eventId: string;
    };
    output: ShownEvent;
  };
  /** Send all failed webhook events again. */
  recoverEvents: { input: RecoverEvents; output: RecoveredEvents };
  /** Register a request for a traditional or transactional signature. */
  registerLinkedPartner: { input: LinkedPartnerRequest; output: LinkedPartnerResult };
  /** Register many requests at once. */
  registerLinkedPartnerBatch: { input: LinkedPartnerRequest; output: BatchLine };
  /** Check the registration of a linked partner. */
  registerLinkedPartnerDryRun: { input: LinkedPartnerRequest; output: DryRunResult };
  /** Register a regular request. */
  registerRegular: { input: RegularRequest; output: RegularResult };
  /** Check a regular registration. */
  registerRegularDryRun: { input: RegularRequest; output: DryRunResult };
  /** Register a request with minimal data. */
  registerSimplified: { input: SimplifiedRequest; output: SimplifiedResult };
  /** Check a simplified registration. */
  registerSimplifiedDryRun: { input: SimplifiedRequest; output: DryRunResult };
  /** Register a request for a signature of one week. */
  registerTransactional: { input: TransactionalRequest; output: TransactionalResult };
  /** Check a transactional registration. */
  registerTransactionalDryRun: { input: TransactionalRequest; output: DryRunResult };
  /** Get the status of a regular request. */
  regularStatus: {
    input: {
      requestId?: string;
      referenceTransaction?: string;
    };
    output: RegularStatus;
  };
  /** Renew a certificate. */
  renewCertificate: { input: RenewCertificate; output: RenewalResult };
  /** Check the renewal of a certificate. */
  renewCertificateDryRun: { input: RenewCertificate; output: DryRunResult };
  /** Start a proof of life. */
  requestLiveness: { input: LivenessRequest; output: LivenessSession };
  /** Request a signature, step by step. */
  requestSignature: { input: SignatureRequest; output: SignatureRequestResult };
  /** Send one webhook event again. */
  resendEvent: {
    input: {
      /** `webhook-id` of the event */
      eventId: string;
    };
    output: ListedEvent;
  };
  /** Send the claim e-mail again and invalidate the earlier link. */
  resendValidationLink: { input: ResendRequest; output: ResendResult };
  /** Run the failed step again, with corrections if any. */
  retryLinkedPartner: { input: RetryRequest; output: RetryResult };
  /** Revoke a certificate permanently. */
  revokeCertificate: { input: RevokeCertificate; output: RevokedCertificate };
  /** Get the status of a signature request. */
  signatureRequestStatus: {
    input: {
      signatureRequestId?: string;
      referenceTransaction?: string;
    };
    output: SignatureRequestStatus;
  };
  /** Get the status of a simplified request. */
  simplifiedStatus: {
    input: {
      simplifiedRequestId?: string;
      referenceTransaction?: string;
    };
    output: SimplifiedStatus;
  };
  /** Send a signed example event to a receiver. */
  testEvent: { input: TestEvent; output: TestedEvent };
  /** Get the certificate with its password and the check results. */
  transactionalCertificate: {
    input: {
      transactionalRequestId?: string;
      referenceTransaction?: string;
    };
    output: TransactionalCertificate;
  };
  /** Get the result of each validation check. */
  transactionalValidationStatus: {
    input: {
      transactionalRequestId?: string;
      referenceTransaction?: string;
    };
    output: TransactionalValidationStatus;
  };
  /** Get the outcomes of the requests of a month. */
  usage: {
    input: {
      /** Month of registration, in the time zone of the service; default: this month */
      month?: string;
    };
    output: Usage;
  };
  /** Submit the identity document and a selfie. */
  validateIdentity: { input: IdentityValidation; output: IdentityValidationResult };
}

export type OperationId = keyof Operations;

/** Bodies of the webhook calls, by type. */
export interface WebhookBodies {
  'certificate.issued': CertificateIssuedEvent;
  'request.error': RequestErrorEvent;
  'request.refused': RequestRefusedEvent;
  'certificate.expiring': CertificateExpiringEvent;
  'certificate.revoked': CertificateRevokedEvent;
}

/** Fields by which the bodies of the webhook calls differ, including those with a constant value. */
export const webhookFields = {
  'certificate.issued': {
    required: ['referenceTransaction', 'file', 'serialNumber'],
    optional: ['password'],
    numbers: [],
    fixed: {},
  },
  'request.error': {
    required: ['linkedPartnerRequestId', 'referenceTransaction', 'message'],
    optional: [],
    numbers: [],
    fixed: {},
  },
  'request.refused': {
    required: ['linkedPartnerRequestId', 'referenceTransaction', 'message', 'status'],
    optional: [],
    numbers: [],
    fixed: { status: 'REFUSED' },
  },
  'certificate.expiring': {
    required: ['referenceTransaction', 'serialNumber', 'notAfter', 'daysLeft'],
    optional: [],
    numbers: ['daysLeft'],
    fixed: {},
  },
  'certificate.revoked': {
    required: ['referenceTransaction', 'serialNumber', 'revocationReason', 'revokedAt'],
    optional: [],
    numbers: [],
    fixed: {},
  },
} as const satisfies Record<keyof WebhookBodies, object>;

/** Cédulas of the sandbox, by the outcome of their requests. */
export const sandboxPeople = {
  passes: '2450010000',
  needsVideo: '2450000100',
  turns65Today: '2450000209',
  turns65Tomorrow: '2450000308',
  underage: '2450000407',
  deceased: '2450000506',
  notFound: '2450000605',
  fingerCodeMismatch: '2450000704',
  nameMismatch: '2450000803',
  registryDown: '2450000902',
  registryDownOnce: '2450001009',
  generationFails: '2450001108',
  generationFailsOnce: '2450001207',
  generationFailsTwice: '2450001306',
  generationFailsThreeTimes: '2450001405',
  needsReview: '2450001504',
  livenessFails: '2450001603',
  selfieMismatch: '2450001702',
  slowRegistry: '2450001801',
} as const;

export const routes = {
  activeTerms: {
    method: 'GET',
    path: '/gateway/collector/terms-and-conditions/by-type',
    isPublic: true,
    sends: 'query',
  },
  advanceClock: { method: 'POST', path: '/sandbox/advance', isPublic: false, sends: 'body' },
  cancelLinkedPartner: {
    method: 'POST',
    path: '/manager/linked-partner/cancel-request',
    isPublic: false,
    sends: 'body',
  },
  cancelSimplified: {
    method: 'PUT',
    path: '/manager/simplified/cancel-request',
    isPublic: false,
    sends: 'body',
  },
  checkLiveness: { method: 'POST', path: '/signature/api/liveness/check', isPublic: false, sends: 'body' },
  correctRegular: { method: 'PATCH', path: '/collector/request', isPublic: false, sends: 'body' },
  issueSignature: { method: 'POST', path: '/signature/api/issuance', isPublic: false, sends: 'body' },
  linkedPartnerStatus: {
    method: 'GET',
    path: '/middleware/signature-request/status',
    isPublic: false,
    sends: 'query',
  },
  listCertificates: { method: 'GET', path: '/gateway/certificates', isPublic: false, sends: 'query' },
  listCities: { method: 'GET', path: '/gateway/reference/cities', isPublic: true, sends: 'query' },
  listEvents: { method: 'GET', path: '/gateway/events', isPublic: false, sends: 'query' },
  listEvidenceTypes: {
    method: 'GET',
    path: '/gateway/reference/evidence-types',
    isPublic: true,
    sends: 'query',
  },
  listPeriods: { method: 'GET', path: '/gateway/reference/periods', isPublic: true, sends: 'query' },
  listProvinces: { method: 'GET', path: '/gateway/reference/provinces', isPublic: true, sends: 'query' },
  listRequests: { method: 'GET', path: '/gateway/requests', isPublic: false, sends: 'query' },
  listStates: { method: 'GET', path: '/gateway/reference/states', isPublic: true, sends: 'query' },
  listTypes: { method: 'GET', path: '/gateway/reference/types', isPublic: true, sends: 'query' },
  listValidationErrorCodes: {
    method: 'GET',
    path: '/gateway/reference/validation-error-codes',
    isPublic: true,
    sends: 'query',
  },
  readEvent: { method: 'GET', path: '/gateway/events/{eventId}', isPublic: false, sends: 'query' },
  recoverEvents: { method: 'POST', path: '/gateway/events/recover', isPublic: false, sends: 'body' },
  registerLinkedPartner: {
    method: 'POST',
    path: '/collector/linked-partner/request',
    isPublic: false,
    sends: 'body',
  },
  registerLinkedPartnerBatch: {
    method: 'POST',
    path: '/collector/linked-partner/batch',
    isPublic: false,
    sends: 'body',
  },
  registerLinkedPartnerDryRun: {
    method: 'POST',
    path: '/collector/linked-partner/request/dry-run',
    isPublic: false,
    sends: 'body',
  },
  registerRegular: { method: 'POST', path: '/collector/request', isPublic: false, sends: 'body' },
  registerRegularDryRun: {
    method: 'POST',
    path: '/collector/request/dry-run',
    isPublic: false,
    sends: 'body',
  },
  registerSimplified: {
    method: 'POST',
    path: '/collector/simplified/request',
    isPublic: false,
    sends: 'body',
  },
  registerSimplifiedDryRun: {
    method: 'POST',
    path: '/collector/simplified/request/dry-run',
    isPublic: false,
    sends: 'body',
  },
  registerTransactional: {
    method: 'POST',
    path: '/collector/transactional/request',
    isPublic: false,
    sends: 'body',
  },
  registerTransactionalDryRun: {
    method: 'POST',
    path: '/collector/transactional/request/dry-run',
    isPublic: false,
    sends: 'body',
  },
  regularStatus: { method: 'GET', path: '/gateway/request/status', isPublic: false, sends: 'query' },
  renewCertificate: { method: 'POST', path: '/manager/certificate/renew', isPublic: false, sends: 'body' },
  renewCertificateDryRun: {
    method: 'POST',
    path: '/manager/certificate/renew/dry-run',
    isPublic: false,
    sends: 'body',
  },
  requestLiveness: {
    method: 'POST',
    path: '/signature/api/liveness/request',
    isPublic: false,
    sends: 'body',
  },
  requestSignature: { method: 'POST', path: '/signature/api/request', isPublic: false, sends: 'body' },
  resendEvent: { method: 'POST', path: '/gateway/events/{eventId}/resend', isPublic: false, sends: 'query' },
  resendValidationLink: {
    method: 'POST',
    path: '/manager/linked-partner/resend-validation-link',
    isPublic: false,
    sends: 'body',
  },
  retryLinkedPartner: {
    method: 'POST',
    path: '/manager/linked-partner/retry-process-signature',
    isPublic: false,
    sends: 'body',
  },
  revokeCertificate: { method: 'POST', path: '/manager/certificate/revoke', isPublic: false, sends: 'body' },
  signatureRequestStatus: {
    method: 'GET',
    path: '/signature/api/request/status',
    isPublic: false,
    sends: 'query',
  },
  simplifiedStatus: {
    method: 'GET',
    path: '/middleware/simplified/request/status',
    isPublic: false,
    sends: 'query',
  },
  testEvent: { method: 'POST', path: '/gateway/events/test', isPublic: false, sends: 'body' },
  transactionalCertificate: {
    method: 'GET',
    path: '/middleware/transactional/certificate',
    isPublic: false,
    sends: 'query',
  },
  transactionalValidationStatus: {
    method: 'GET',
    path: '/middleware/transactional/validation-status',
    isPublic: false,
    sends: 'query',
  },
  usage: { method: 'GET', path: '/gateway/usage', isPublic: false, sends: 'query' },
  validateIdentity: {
    method: 'POST',
    path: '/signature/api/identity-validation',
    isPublic: false,
    sends: 'body',
  },
} as const satisfies Record<OperationId, object>;
