import { z } from 'zod';

export const periods = [
  'ONE_WEEK',
  'ONE_MONTH',
  'ONE_YEAR',
  'TWO_YEARS',
  'THREE_YEARS',
  'FOUR_YEARS',
  'FIVE_YEARS',
] as const;
export const periodSchema = z.enum(periods);
export type Period = z.infer<typeof periodSchema>;

export const documentTypes = ['CI'] as const;
export const documentTypeSchema = z.enum(documentTypes);
export type DocumentType = z.infer<typeof documentTypeSchema>;

export const applicationTypes = ['NATURAL_PERSON', 'LEGAL_REPRESENTATIVE'] as const;
export const applicationTypeSchema = z.enum(applicationTypes);
export type ApplicationType = z.infer<typeof applicationTypeSchema>;

export const certificateTypes = ['TRADITIONAL_SIGNATURE', 'TRANSACTIONAL_SIGNATURE'] as const;
export const certificateTypeSchema = z.enum(certificateTypes);
export type CertificateType = z.infer<typeof certificateTypeSchema>;

/** Events that a partner receives only if its setting `events` names them; all other events go to every partner. */
export const furtherEventTypes = ['certificate.expiring', 'certificate.revoked'] as const;
export const furtherEventTypeSchema = z.enum(furtherEventTypes);
export type FurtherEventType = z.infer<typeof furtherEventTypeSchema>;

export const statuses = [
  'REGISTERED',
  'VALIDATING',
  'ERROR',
  'APPROVED',
  'GENERATING',
  'GENERATED',
  'REFUSED',
  'CANCELLED',
  'EXPIRED',
] as const;
export const statusSchema = z.enum(statuses);
export type Status = z.infer<typeof statusSchema>;

export const validationStatuses = [
  'PENDING',
  'AUTOMATICALLY_VALIDATING',
  'MANUALLY_VALIDATING',
  'ERROR',
  'REFUSED',
  'COMPLETED',
] as const;
export const validationStatusSchema = z.enum(validationStatuses);
export type ValidationStatus = z.infer<typeof validationStatusSchema>;

export const certificateStatuses = ['VALID', 'REVOKED', 'EXPIRED'] as const;
export const certificateStatusSchema = z.enum(certificateStatuses);
export type CertificateStatus = z.infer<typeof certificateStatusSchema>;

/** Reasons of RFC 5280 §5.3.1 that a partner may choose. */
const partnerRevocationReasons = [
  'unspecified',
  'keyCompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
] as const;
export const partnerRevocationReasonSchema = z.enum(partnerRevocationReasons);

/**
 * Reasons that an operator may choose: all that can apply to a subscriber's certificate. The compromise of an authority
 * cannot, and a hold has its own procedure.
 */
export const revocationReasons = [...partnerRevocationReasons, 'privilegeWithdrawn'] as const;
export const revocationReasonSchema = z.enum(revocationReasons);
export type RevocationReason = z.infer<typeof revocationReasonSchema>;

/** Reasons as certificates show them: a hold is a revocation that may be released. */
export const shownRevocationReasonSchema = z.enum([...revocationReasons, 'certificateHold']);
export type ShownRevocationReason = z.infer<typeof shownRevocationReasonSchema>;

/** Families of requests: FR regular, TV linked partner, FT transactional, FS simplified, API step by step. */
export const families = ['TV', 'FR', 'FT', 'FS', 'API'] as const;
export const familySchema = z.enum(families);
export type Family = z.infer<typeof familySchema>;

export const scopes = ['collector:write', 'manager:write', 'status:read', 'certificates:revoke'] as const;
export const scopeSchema = z.enum(scopes);
export type Scope = z.infer<typeof scopeSchema>;

/** Operator roles in ascending order: each has all permissions of the previous one. */
export const operatorRoles = ['viewer', 'reviewer', 'admin'] as const;
export const operatorRoleSchema = z.enum(operatorRoles);
export type OperatorRole = z.infer<typeof operatorRoleSchema>;

/** Ways to open an operator's session. */
const sessionMethods = ['password', 'totp', 'passkey', 'oidc', 'invitation', 'breakGlass'] as const;
export const sessionMethodSchema = z.enum(sessionMethods);
export type SessionMethod = z.infer<typeof sessionMethodSchema>;

/** Second factor that is due after a correct password: a one-time code in addition, or a passkey instead. */
export const challengeSchema = z.enum(['code', 'passkey']);

/**
 * Permissions of an operator's session: everything the role allows, only the enrolment of a second factor, or what a
 * deployment without administrators needs.
 */
const sessionScopes = ['full', 'enrolment', 'breakGlass'] as const;
export const sessionScopeSchema = z.enum(sessionScopes);
export type SessionScope = z.infer<typeof sessionScopeSchema>;

const passwordConfigurations = ['PARTNER', 'ONE_TIME_PASSWORD'] as const;
export const passwordConfigurationSchema = z.enum(passwordConfigurations);
export type PasswordConfiguration = z.infer<typeof passwordConfigurationSchema>;

/** Key types of subscribers, weakest first. */
export const keyTypes = ['RSA-2048', 'RSA-3072', 'EC-P256'] as const;
export const keyTypeSchema = z.enum(keyTypes);
export type KeyType = z.infer<typeof keyTypeSchema>;

export const reviewPolicies = ['automatic', 'manual', 'four-eyes'] as const;
export const reviewPolicySchema = z.enum(reviewPolicies);
export type ReviewPolicy = z.infer<typeof reviewPolicySchema>;

export const evidenceTypes = [
  'IDENTITY_DOCUMENT',
  'SELFIE',
  'LIVENESS_VIDEO',
  'CONTRACT',
  'AUTHORIZATION',
  'OTHER',
] as const;
export type EvidenceType = (typeof evidenceTypes)[number];

export const services = ['gateway', 'intake', 'generation', 'terms', 'notifier'] as const;
export const serviceSchema = z.enum(services);
export type ServiceName = (typeof services)[number];

/** Services that store changes for a second administrator. */
export const approvalServices = ['intake', 'generation', 'terms'] as const;
export type ApprovalService = (typeof approvalServices)[number];

/** Services with a schema and an audit log in PostgreSQL: all but the gateway. */
export const databaseServiceSchema = serviceSchema.exclude(['gateway']);
export type DatabaseService = z.infer<typeof databaseServiceSchema>;
