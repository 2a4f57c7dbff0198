// Generated from packages/contracts by scripts/generate.ts. Do not edit.

export type CertificateStatus = 'VALID' | 'REVOKED' | 'EXPIRED';

export type CertificateType = 'TRADITIONAL_SIGNATURE' | 'TRANSACTIONAL_SIGNATURE';

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

export type Family = 'TV' | 'FR' | 'FT' | 'FS' | 'API';

export type OperatorRole = 'viewer' | 'reviewer' | 'admin';

export type Period =
  | 'ONE_WEEK'
  | 'ONE_MONTH'
  | 'ONE_YEAR'
  | 'TWO_YEARS'
  | 'THREE_YEARS'
  | 'FOUR_YEARS'
  | 'FIVE_YEARS';

export interface RenewalOf {
  referenceTransaction: string;
  serialNumber: string;
}

export interface RenewedBy {
  referenceTransaction: string;
  /** `null` until the certificate is issued */
  serialNumber: string | null;
}

export type Scope = 'collector:write' | 'manager:write' | 'status:read' | 'certificates:revoke';

export type ServiceName = 'gateway' | 'intake' | 'generation' | 'terms' | 'notifier';

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

export type ValidationStatus =
  | 'PENDING'
  | 'AUTOMATICALLY_VALIDATING'
  | 'MANUALLY_VALIDATING'
  | 'ERROR'
  | 'REFUSED'
  | 'COMPLETED';

/** One fault of an input, or one reason of a refusal. */
export interface ErrorDetail {
  code: ErrorCode;
  field?: string;
  message: string;
  correctable: boolean;
  retryable: boolean;
}

/** Input and output of each procedure. */
export interface Procedures {
  /** Role admin. */
  'approvals.approve': {
    kind: 'mutation';
    input: {
      /** `<service>.<UUID>` */
      id: string;
      reason?: string;
      /** Response of one of your passkeys to `approvals.passkeyOptions`. Required if you have a passkey, otherwise `PASSKEY_NEEDED` */
      response?: {
        id: string;
        rawId: string;
        type: 'public-key';
        authenticatorAttachment?: 'cross-platform' | 'platform';
        clientExtensionResults?: unknown;
        response: {
          clientDataJSON: string;
          authenticatorData: string;
          signature: string;
          userHandle?: string | null;
        };
      };
    };
    output: {
      /** `<service>.<UUID>` */
      id: string;
      change: {
        procedure: string;
        input: Record<string, unknown>;
      };
      /** Record when the change was proposed; null for a new one */
      before: Record<string, unknown> | null;
      /** Record with the change applied */
      after: Record<string, unknown>;
      /** E-mail of the operator */
      proposedBy: string;
      reason: string | null;
      createdAt: string;
      expiresAt: string;
      /** Answer of the procedure, including new secrets, which are shown only here and once */
      result: unknown;
    };
  };
  /** Role admin. */
  'approvals.get': {
    kind: 'query';
    input: {
      /** `<service>.<UUID>` */
      id: string;
    };
    output: {
      /** `<service>.<UUID>` */
      id: string;
      change: {
        procedure: string;
        input: Record<string, unknown>;
      };
      /** Record when the change was proposed; null for a new one */
      before: Record<string, unknown> | null;
      /** Record with the change applied */
      after: Record<string, unknown>;
      /** E-mail of the operator */
      proposedBy: string;
      reason: string | null;
      createdAt: string;
      expiresAt: string;
    };
  };
  /** Role admin. */
  'approvals.list': {
    kind: 'query';
    input: {
      /** `nextCursor` of the previous page */
      cursor?: string;
      limit?: number;
    };
    output: {
      items: Array<{
        /** `<service>.<UUID>` */
        id: string;
        change: {
          procedure: string;
          input: Record<string, unknown>;
        };
        /** Record when the change was proposed; null for a new one */
        before: Record<string, unknown> | null;
        /** Record with the change applied */
        after: Record<string, unknown>;
        /** E-mail of the operator */
        proposedBy: string;
        reason: string | null;
        createdAt: string;
        expiresAt: string;
      }>;
      nextCursor: string | null;
      /** Services that did not answer. Their changes are missing from the page: start again later */
      unanswered: Array<ServiceName>;
    };
  };
  /** Role admin. */
  'approvals.passkeyOptions': {
    kind: 'mutation';
    input: {
      /** `<service>.<UUID>` */
      id: string;
    };
    output: {
      /** Options for `navigator.credentials.get`, valid once within 5 minutes; the challenge begins with the proposal's SHA-256. null for an operator without a passkey, who signs nothing */
      options: {
        challenge: string;
        rpId: string;
        timeout: number;
        userVerification: 'required';
        allowCredentials: Array<{
          id: string;
          type: 'public-key';
        }>;
      } | null;
    };
  };
  /** Role admin. */
  'approvals.reject': {
    kind: 'mutation';
    input: {
      /** `<service>.<UUID>` */
      id: string;
      reason?: string;
    };
    output: {
      /** `<service>.<UUID>` */
      id: string;
      change: {
        procedure: string;
        input: Record<string, unknown>;
      };
      /** Record when the change was proposed; null for a new one */
      before: Record<string, unknown> | null;
      /** Record with the change applied */
      after: Record<string, unknown>;
      /** E-mail of the operator */
      proposedBy: string;
      reason: string | null;
      createdAt: string;
      expiresAt: string;
    };
  };
  /** Role viewer. */
  'audit.list': {
    kind: 'query';
    input: {
      /** Service of the log. generation: certificates; intake: requests, partners and operators; terms: terms and conditions; notifier: deliveries and messages that operators send again */
      service?: 'intake' | 'generation' | 'terms' | 'notifier';
      cursor?: string;
      limit?: number;
      /** Exact match, for example operator:admin@example.com */
      actor?: string;
      /** Exact match, for example certificate.issued */
      action?: string;
      requestId?: string;
      /** Written at this time or later */
      since?: string;
      /** Written before this time */
      until?: string;
    };
    output: {
      items: Array<{
        service: 'intake' | 'generation' | 'terms' | 'notifier';
        id: string;
        /** Position in the chain; null for about a second, until it is assigned */
        sequence: number | null;
        /** SHA-256, hex */
        hash: string | null;
        at: string;
        actor: string;
        action: string;
        /** Object of the action, for example partner:<id> or certificate:<serial> */
        target: string | null;
        requestId: string | null;
        reason: string | null;
        details: Record<string, unknown>;
        /** False if the service did not write the entry: it was added directly in the database and must be ignored */
        isAuthentic?: boolean;
      }>;
      nextCursor: string | null;
    };
  };
  /** Role admin. */
  'audit.verify': {
    kind: 'query';
    input: {
      /** Service of the log. generation: certificates; intake: requests, partners and operators; terms: terms and conditions; notifier: deliveries and messages that operators send again */
      service?: 'intake' | 'generation' | 'terms' | 'notifier';
      /** Position to continue at; default: the start of the chain */
      cursor?: string;
      /** Rows to verify in this call */
      limit?: number;
      /** Checkpoint that was stored elsewhere, as compact JWS */
      checkpoint?: string;
    };
    output: {
      service: 'intake' | 'generation' | 'terms' | 'notifier';
      /** True if this call found no fault in the rows that it verified */
      intact: boolean;
      rows: number;
      checkpoints: number;
      findings: Array<{
        kind: string;
        sequence: number | null;
        through?: number;
        id: string | null;
        text: string;
      }>;
      /** null at the end of the chain */
      nextCursor: string | null;
      /** Last position of the chain */
      end: number;
      /** Position of the last checkpoint */
      lastCheckpoint: number;
      /** Rows without a position yet; counted at the end of the chain */
      unchained: number;
    };
  };
  /** Open to all. */
  'auth.acceptInvitation': {
    kind: 'mutation';
    input: {
      token: string;
      /** New password of the operator; none for `breakGlass` */
      password?: string;
    };
    output: {
      accessToken: string;
      /** Lifetime in seconds */
      expiresIn: number;
      refreshToken: string;
      role: OperatorRole;
      /** `enrolment` until a required second factor is enrolled */
      scope: 'full' | 'enrolment' | 'breakGlass';
    };
  };
  /** Role viewer. */
  'auth.changePassword': {
    kind: 'mutation';
    input: {
      currentPassword: string;
      /** Minimum 12 characters; an easily guessed password is refused */
      newPassword: string;
      reason?: string;
    };
    output: {
      /** Number of sessions */
      ended: number;
    };
  };
  /** Role viewer. */
  'auth.endSession': {
    kind: 'mutation';
    input: {
      sessionId?: string;
      /** Ends all sessions, including this one */
      all?: true;
      reason?: string;
    };
    output: {
      /** Number of sessions */
      ended: number;
    };
  };
  /** Role viewer. */
  'auth.enrolPasskey': {
    kind: 'mutation';
    input: {
      /** Without a response options are created; with the response to them the passkey is enrolled */
      response?: {
        id: string;
        rawId: string;
        type: 'public-key';
        authenticatorAttachment?: 'cross-platform' | 'platform';
        clientExtensionResults?: unknown;
        response: {
          clientDataJSON: string;
          attestationObject: string;
          authenticatorData?: string;
          transports?: Array<string>;
          publicKeyAlgorithm?: number;
          publicKey?: string;
        };
      };
      /** Label for its owner */
      name?: string;
      /** Required, otherwise `FRESH_PROOF_NEEDED`. Operators of the organisation’s provider have no password: they must have signed in within the last ten minutes */
      currentPassword?: string;
      reason?: string;
    };
    output:
      | {
          /** Options for `navigator.credentials.create` */
          options: {
            challenge: string;
            rp: {
              id: string;
              name: string;
            };
            user: {
              id: string;
              name: string;
              displayName: string;
            };
            pubKeyCredParams: Array<{
              alg: number;
              type: 'public-key';
            }>;
            timeout: number;
            excludeCredentials: Array<{
              id: string;
              type: 'public-key';
            }>;
            authenticatorSelection: {
              residentKey: 'required';
              requireResidentKey: true;
              userVerification: 'required';
            };
            attestation: 'none';
          };
        }
      | {
          factorId: string;
        };
  };
  /** Role viewer. */
  'auth.enrolTotp': {
    kind: 'mutation';
    input: {
      /** Without a code a new secret is created; with its code that secret is confirmed */
      code?: string;
      /** Required, otherwise `FRESH_PROOF_NEEDED`. Operators of the organisation’s provider have no password: they must have signed in within the last ten minutes */
      currentPassword?: string;
      reason?: string;
    };
    output:
      | {
          /** Base32, to type by hand */
          secret: string;
          /** Same secret as the content of a QR code */
          otpauthUri: string;
        }
      | {
          factorId: string;
          /** Each replaces a code for one sign-in; shown only here and once */
          recoveryCodes: Array<string>;
        };
  };
  /** Open to all. */
  'auth.passkeyOptions': {
    kind: 'mutation';
    input: Record<string, never> | undefined;
    output: {
      /** Options for `navigator.credentials.get`, valid once within 5 minutes */
      options: {
        challenge: string;
        rpId: string;
        timeout: number;
        userVerification: 'required';
      };
    };
  };
  /** Open to all. */
  'auth.passkeySignIn': {
    kind: 'mutation';
    input: {
      response: {
        id: string;
        rawId: string;
        type: 'public-key';
        authenticatorAttachment?: 'cross-platform' | 'platform';
        clientExtensionResults?: unknown;
        response: {
          clientDataJSON: string;
          authenticatorData: string;
          signature: string;
          userHandle?: string | null;
        };
      };
    };
    output: {
      accessToken: string;
      /** Lifetime in seconds */
      expiresIn: number;
      refreshToken: string;
      role: OperatorRole;
      /** `enrolment` until a required second factor is enrolled */
      scope: 'full' | 'enrolment' | 'breakGlass';
    };
  };
  /** Open to all. */
  'auth.readInvitation': {
    kind: 'mutation';
    input: {
      token: string;
    };
    output: {
      email: string;
      role: OperatorRole;
      kind: 'invite' | 'reset' | 'breakGlass';
      expiresAt: string;
    };
  };
  /** Open to all. */
  'auth.refresh': {
    kind: 'mutation';
    input: {
      refreshToken: string;
    };
    output: {
      accessToken: string;
      /** Lifetime in seconds */
      expiresIn: number;
      refreshToken: string;
      role: OperatorRole;
      /** `enrolment` until a required second factor is enrolled */
      scope: 'full' | 'enrolment' | 'breakGlass';
    };
  };
  /** Role viewer. */
  'auth.removeFactor': {
    kind: 'mutation';
    input: {
      factorId: string;
      /** Required, otherwise `FRESH_PROOF_NEEDED`. Operators of the organisation’s provider have no password: they must have signed in within the last ten minutes */
      currentPassword?: string;
      reason?: string;
    };
    output: {
      factorId: string;
      /** Number of other sessions that ended */
      ended: number;
    };
  };
  /** Role viewer. */
  'auth.sessions': {
    kind: 'query';
    input: Record<string, never> | undefined;
    output: {
      operator: {
        operatorId: string;
        email: string;
        role: OperatorRole;
        scope: 'full' | 'enrolment' | 'breakGlass';
      };
      /** Open sessions, newest first */
      items: Array<{
        sessionId: string;
        method: 'password' | 'totp' | 'passkey' | 'oidc' | 'invitation' | 'breakGlass';
        scope: 'full' | 'enrolment' | 'breakGlass';
        createdAt: string;
        /** Time of the last renewal of its tokens */
        lastUsedAt: string;
        expiresAt: string;
        address: string;
        userAgent: string;
        isCurrent: boolean;
      }>;
      factors: Array<{
        factorId: string;
        kind: 'totp' | 'passkey';
        name: string;
        createdAt: string;
        lastUsedAt: string | null;
      }>;
      recoveryCodesLeft: number;
    };
  };
  /** Open to all. */
  'auth.signIn': {
    kind: 'mutation';
    input: {
      email: string;
      password: string;
      /** One-time code or recovery code, if `challenge` requires one */
      code?: string;
    };
    output:
      | {
          accessToken: string;
          /** Lifetime in seconds */
          expiresIn: number;
          refreshToken: string;
          role: OperatorRole;
          /** `enrolment` until a required second factor is enrolled */
          scope: 'full' | 'enrolment' | 'breakGlass';
        }
      | {
          /** The password is correct. `code`: sign in again with password and code; `passkey`: sign in with the passkey */
          challenge: 'code' | 'passkey';
        };
  };
  /** Role viewer. */
  'auth.signOut': {
    kind: 'mutation';
    input:
      | {
          reason?: string;
        }
      | undefined;
    output: {
      /** Number of sessions */
      ended: number;
    };
  };
  /** Role viewer. */
  'authorities.list': {
    kind: 'query';
    input: Record<string, never> | undefined;
    output: {
      /** Roots first */
      items: Array<{
        /** Name of its public files: `/pki/<name>.cer` and `.crl` */
        name: string;
        kind: 'root' | 'issuing';
        /** True if it signs new certificates; other authorities sign CRLs and OCSP answers only */
        signs: boolean;
        /** True for a root whose key is stored offline: only a ceremony can use it */
        keyIsElsewhere: boolean;
        subject: string;
        serialNumber: string;
        notBefore: string;
        notAfter: string;
        /** End of its OCSP responder certificate; null for a root */
        responderNotAfter: string | null;
        /** Complete CRL as it is served now; null if there is none yet */
        crl: {
          /** null if the CRL came from a ceremony */
          number: number | null;
          thisUpdate: string;
          nextUpdate: string;
        } | null;
      }>;
      /** Authorities whose key exists and whose certificate awaits a ceremony */
      pending: Array<string>;
    };
  };
  /** Role viewer. */
  'certificates.get': {
    kind: 'query';
    input: {
      id?: string;
      serialNumber?: string;
    };
    output: {
      id: string;
      requestId: string;
      serialNumber: string;
      /** Subject as the authority signed it; `not known` if no certificate signed by it is stored */
      subject: string;
      issuer: string;
      profile: string;
      /** A certificate on hold is REVOKED, with the reason certificateHold */
      status: CertificateStatus;
      /** Time from which the certificate is not valid, as in CRL and OCSP */
      revokedAt: string | null;
      revocationReason:
        | 'unspecified'
        | 'keyCompromise'
        | 'affiliationChanged'
        | 'superseded'
        | 'cessationOfOperation'
        | 'privilegeWithdrawn'
        | 'certificateHold'
        | null;
      notBefore: string;
      notAfter: string;
      issuedAt: string;
      keyAlgorithm: string;
      /** End according to the requested period */
      requestedNotAfter: string;
      cappedBy: 'ISSUER' | 'APPOINTMENT' | null;
      heldAt: string | null;
      /** Warning to read before `certificates.hold`: effects of a hold that a release does not undo. null if the certificate cannot be put on hold */
      holdNotice: {
        es: string;
        en: string;
      } | null;
      /** CRL that covers the certificate */
      crlUri: string;
      /** null for viewers, because it contains the subject, and if no certificate signed by the authority is stored */
      pem: string | null;
      history: Array<{
        at: string;
        action: string;
        actor: string;
        revocationReason: string | null;
        reason: string | null;
      }>;
    };
  };
  /** Role admin. */
  'certificates.hold': {
    kind: 'mutation';
    input: {
      id?: string;
      serialNumber?: string;
      reason?: string;
    };
    output: {
      id: string;
      requestId: string;
      serialNumber: string;
      /** Subject as the authority signed it; `not known` if no certificate signed by it is stored */
      subject: string;
      issuer: string;
      profile: string;
      /** A certificate on hold is REVOKED, with the reason certificateHold */
      status: CertificateStatus;
      /** Time from which the certificate is not valid, as in CRL and OCSP */
      revokedAt: string | null;
      revocationReason:
        | 'unspecified'
        | 'keyCompromise'
        | 'affiliationChanged'
        | 'superseded'
        | 'cessationOfOperation'
        | 'privilegeWithdrawn'
        | 'certificateHold'
        | null;
      notBefore: string;
      notAfter: string;
      issuedAt: string;
      /** `<service>.<UUID>` */
      approvalId?: string;
    };
  };
  /** Role admin. */
  'certificates.release': {
    kind: 'mutation';
    input: {
      id?: string;
      serialNumber?: string;
      reason?: string;
    };
    output: {
      id: string;
      requestId: string;
      serialNumber: string;
      /** Subject as the authority signed it; `not known` if no certificate signed by it is stored */
      subject: string;
      issuer: string;
      profile: string;
      /** A certificate on hold is REVOKED, with the reason certificateHold */
      status: CertificateStatus;
      /** Time from which the certificate is not valid, as in CRL and OCSP */
      revokedAt: string | null;
      revocationReason:
        | 'unspecified'
        | 'keyCompromise'
        | 'affiliationChanged'
        | 'superseded'
        | 'cessationOfOperation'
        | 'privilegeWithdrawn'
        | 'certificateHold'
        | null;
      notBefore: string;
      notAfter: string;
      issuedAt: string;
      /** `<service>.<UUID>` */
      approvalId?: string;
    };
  };
  /** Role admin. */
  'certificates.revoke': {
    kind: 'mutation';
    input: {
      id?: string;
      serialNumber?: string;
      /** Default: `reason` if it is one of these values, otherwise unspecified */
      revocationReason?:
        | 'unspecified'
        | 'keyCompromise'
        | 'affiliationChanged'
        | 'superseded'
        | 'cessationOfOperation'
        | 'privilegeWithdrawn';
      reason?: string;
    };
    output: {
      id: string;
      requestId: string;
      serialNumber: string;
      /** Subject as the authority signed it; `not known` if no certificate signed by it is stored */
      subject: string;
      issuer: string;
      profile: string;
      /** A certificate on hold is REVOKED, with the reason certificateHold */
      status: CertificateStatus;
      /** Time from which the certificate is not valid, as in CRL and OCSP */
      revokedAt: string | null;
      revocationReason:
        | 'unspecified'
        | 'keyCompromise'
        | 'affiliationChanged'
        | 'superseded'
        | 'cessationOfOperation'
        | 'privilegeWithdrawn'
        | 'certificateHold'
        | null;
      notBefore: string;
      notAfter: string;
      issuedAt: string;
      /** `<service>.<UUID>` */
      approvalId?: string;
    };
  };
  /** Role admin. */
  'certificates.revokeMany': {
    kind: 'mutation';
    input: {
      serialNumber?: string;
      requestId?: string;
      /** Only reviewers and administrators may search by it */
      identificationNumber?: string;
      /** Each word must begin a word of the names in the subject, ignoring accents and case */
      name?: string;
      status?: 'VALID';
      /** Ends at this time or later */
      notAfterFrom?: string;
      /** Ends before this time */
      notAfterTo?: string;
      /** Number of valid certificates that the filters match; with any other number nothing is revoked */
      count: number;
      revocationReason:
        | 'unspecified'
        | 'keyCompromise'
        | 'affiliationChanged'
        | 'superseded'
        | 'cessationOfOperation'
        | 'privilegeWithdrawn';
      /** Stored in the audit log with each certificate */
      reason: string;
    };
    output: {
      revoked: number;
      /** `<service>.<UUID>` */
      approvalId?: string;
    };
  };
  /** Role viewer. */
  'certificates.search': {
    kind: 'query';
    input: {
      cursor?: string;
      limit?: number;
      serialNumber?: string;
      requestId?: string;
      /** Only reviewers and administrators may search by it */
      identificationNumber?: string;
      /** Each word must begin a word of the names in the subject, ignoring accents and case */
      name?: string;
      status?: CertificateStatus;
      /** Ends at this time or later */
      notAfterFrom?: string;
      /** Ends before this time */
      notAfterTo?: string;
    };
    output: {
      items: Array<{
        id: string;
        requestId: string;
        serialNumber: string;
        /** Subject as the authority signed it; `not known` if no certificate signed by it is stored */
        subject: string;
        issuer: string;
        profile: string;
        /** A certificate on hold is REVOKED, with the reason certificateHold */
        status: CertificateStatus;
        /** Time from which the certificate is not valid, as in CRL and OCSP */
        revokedAt: string | null;
        revocationReason:
          | 'unspecified'
          | 'keyCompromise'
          | 'affiliationChanged'
          | 'superseded'
          | 'cessationOfOperation'
          | 'privilegeWithdrawn'
          | 'certificateHold'
          | null;
        notBefore: string;
        notAfter: string;
        issuedAt: string;
      }>;
      nextCursor: string | null;
      /** Present if the search stopped before the page was full: it covered everything newer than this time, and `nextCursor` continues with older rows */
      lookedBackTo?: string;
    };
  };
  /** Role viewer. */
  'deliveries.destinations': {
    kind: 'query';
    input: {
      cursor?: string;
      limit?: number;
      partnerId?: string;
      /** DISABLED: events are stored and not sent; TRIAL: enabled manually and not confirmed by a success yet */
      state?: 'FAILING' | 'DISABLED' | 'TRIAL';
    };
    output: {
      items: Array<{
        id: string;
        partnerId: string;
        destination: string;
        /** DISABLED: events are stored and not sent; TRIAL: enabled manually and not confirmed by a success yet */
        state: 'FAILING' | 'DISABLED' | 'TRIAL';
        failingSince: string;
        lastFailedAt: string;
        disabledAt: string | null;
      }>;
      nextCursor: string | null;
    };
  };
  /** Role reviewer. */
  'deliveries.enableDestination': {
    kind: 'mutation';
    input: {
      partnerId: string;
      /** Any address of the destination */
      url: string;
      reason?: string;
    };
    output: {
      id: string;
      partnerId: string;
      destination: string;
      /** DISABLED: events are stored and not sent; TRIAL: enabled manually and not confirmed by a success yet */
      state: 'FAILING' | 'DISABLED' | 'TRIAL';
      failingSince: string;
      lastFailedAt: string;
      disabledAt: string | null;
    };
  };
  /** Role viewer. */
  'deliveries.get': {
    kind: 'query';
    input: {
      id: string;
    };
    output: {
      id: string;
      eventId: string;
      requestId: string;
      partnerId: string;
      type:
        | 'certificate.issued'
        | 'request.error'
        | 'request.refused'
        | 'certificate.expiring'
        | 'certificate.revoked';
      url: string;
      state: 'PENDING' | 'DELIVERED' | 'EXHAUSTED' | 'STOPPED';
      attempts: number;
      nextAttemptAt: string | null;
      lastStatus: number | null;
      lastError: string | null;
      createdAt: string;
      deliveredAt: string | null;
      purgedAt: string | null;
      /** null once the body was erased */
      outline: {
        bytes: number;
        /** Digest of the whole body, which the receiver can compute too */
        sha256: string;
        fields: Array<{
          name: string;
          kind: 'text' | 'base64' | 'secret';
          /** Size of the decoded value for base64; null for a secret */
          bytes: number | null;
          /** Digest of the decoded value; null if it is not base64 */
          sha256: string | null;
        }>;
      } | null;
      attemptLog: Array<{
        number: number;
        startedAt: string;
        durationMs: number;
        status: number | null;
        outcome: string;
        error: string | null;
        /** Beginning of the answer of a receiver that did not acknowledge, without the content that was sent to it */
        answer: string | null;
      }>;
    };
  };
  /** Role reviewer. */
  'deliveries.ping': {
    kind: 'mutation';
    input: {
      partnerId: string;
      url: string;
      reason?: string;
    };
    output: {
      /** webhook-id of the call */
      id: string;
      acknowledged: boolean;
      outcome: string;
      status: number | null;
      /** Our own description, never text of the receiver */
      error: string | null;
      durationMs: number;
    };
  };
  /** Role reviewer. */
  'deliveries.recover': {
    kind: 'mutation';
    input: {
      partnerId: string;
      /** Earliest time of the event, inclusive */
      from: string;
      /** Latest time of the event, exclusive */
      to: string;
      /** Default: all that were not delivered */
      state?: 'EXHAUSTED' | 'STOPPED' | 'DELIVERED';
      reason?: string;
    };
    output: {
      count: number;
      /** False if more are left than one call handles: call again */
      complete: boolean;
    };
  };
  /** Role reviewer. */
  'deliveries.resend': {
    kind: 'mutation';
    input: {
      id: string;
      reason?: string;
    };
    output: {
      id: string;
      eventId: string;
      requestId: string;
      partnerId: string;
      type:
        | 'certificate.issued'
        | 'request.error'
        | 'request.refused'
        | 'certificate.expiring'
        | 'certificate.revoked';
      url: string;
      state: 'PENDING' | 'DELIVERED' | 'EXHAUSTED' | 'STOPPED';
      attempts: number;
      nextAttemptAt: string | null;
      lastStatus: number | null;
      lastError: string | null;
      createdAt: string;
      deliveredAt: string | null;
      purgedAt: string | null;
    };
  };
  /** Role viewer. */
  'deliveries.search': {
    kind: 'query';
    input: {
      cursor?: string;
      limit?: number;
      state?: 'PENDING' | 'DELIVERED' | 'EXHAUSTED' | 'STOPPED';
      partnerId?: string;
      requestId?: string;
    };
    output: {
      items: Array<{
        id: string;
        eventId: string;
        requestId: string;
        partnerId: string;
        type:
          | 'certificate.issued'
          | 'request.error'
          | 'request.refused'
          | 'certificate.expiring'
          | 'certificate.revoked';
        url: string;
        state: 'PENDING' | 'DELIVERED' | 'EXHAUSTED' | 'STOPPED';
        attempts: number;
        nextAttemptAt: string | null;
        lastStatus: number | null;
        lastError: string | null;
        createdAt: string;
        deliveredAt: string | null;
        purgedAt: string | null;
      }>;
      nextCursor: string | null;
    };
  };
  /** Role reviewer. */
  'messages.resend': {
    kind: 'mutation';
    input: {
      id: string;
      reason?: string;
    };
    output: {
      id: string;
      /** null for an e-mail to an operator */
      requestId: string | null;
      channel: 'email' | 'sms';
      template: string;
      /** Masked */
      to: string;
      state: 'PENDING' | 'SENT' | 'FAILED' | 'SUPERSEDED';
      attempts: number;
      lastError: string | null;
      createdAt: string;
      sentAt: string | null;
    };
  };
  /** Role viewer. */
  'messages.search': {
    kind: 'query';
    input: {
      cursor?: string;
      limit?: number;
      state?: 'PENDING' | 'SENT' | 'FAILED' | 'SUPERSEDED';
      requestId?: string;
    };
    output: {
      items: Array<{
        id: string;
        /** null for an e-mail to an operator */
        requestId: string | null;
        channel: 'email' | 'sms';
        template: string;
        /** Masked */
        to: string;
        state: 'PENDING' | 'SENT' | 'FAILED' | 'SUPERSEDED';
        attempts: number;
        lastError: string | null;
        createdAt: string;
        sentAt: string | null;
      }>;
      nextCursor: string | null;
    };
  };
  /** Role admin. */
  'operators.changeRole': {
    kind: 'mutation';
    input: {
      operatorId: string;
      reason?: string;
      role: OperatorRole;
    };
    output: {
      operatorId: string;
      email: string;
      role: OperatorRole;
      enabled: boolean;
      createdAt: string;
      /** `organisation`: only at its OpenID provider, which also sets the role at each sign-in */
      signsInAt: 'here' | 'organisation';
      /** Unused link that was sent to the operator; it is invalid after its end */
      invitation: {
        kind: 'invite' | 'reset' | 'breakGlass';
        expiresAt: string;
      } | null;
      /** `<service>.<UUID>` */
      approvalId?: string;
    };
  };
  /** Role admin. */
  'operators.disable': {
    kind: 'mutation';
    input: {
      operatorId: string;
      reason?: string;
    };
    output: {
      operatorId: string;
      email: string;
      role: OperatorRole;
      enabled: boolean;
      createdAt: string;
      /** `organisation`: only at its OpenID provider, which also sets the role at each sign-in */
      signsInAt: 'here' | 'organisation';
      /** Unused link that was sent to the operator; it is invalid after its end */
      invitation: {
        kind: 'invite' | 'reset' | 'breakGlass';
        expiresAt: string;
      } | null;
      /** `<service>.<UUID>` */
      approvalId?: string;
    };
  };
  /** Role admin. */
  'operators.enable': {
    kind: 'mutation';
    input: {
      operatorId: string;
      reason?: string;
    };
    output: {
      operatorId: string;
      email: string;
      role: OperatorRole;
      enabled: boolean;
      createdAt: string;
      /** `organisation`: only at its OpenID provider, which also sets the role at each sign-in */
      signsInAt: 'here' | 'organisation';
      /** Unused link that was sent to the operator; it is invalid after its end */
      invitation: {
        kind: 'invite' | 'reset' | 'breakGlass';
        expiresAt: string;
      } | null;
      /** `<service>.<UUID>` */
      approvalId?: string;
    };
  };
  /** Role admin. */
  'operators.endSessions': {
    kind: 'mutation';
    input: {
      operatorId: string;
      reason?: string;
    };
    output: {
      /** Number of sessions */
      ended: number;
      /** `<service>.<UUID>` */
      approvalId?: string;
    };
  };
  /** Role admin. */
  'operators.get': {
    kind: 'query';
    input: {
      operatorId: string;
    };
    output: {
      operatorId: string;
      email: string;
      role: OperatorRole;
      enabled: boolean;
      createdAt: string;
      /** `organisation`: only at its OpenID provider, which also sets the role at each sign-in */
      signsInAt: 'here' | 'organisation';
      /** Unused link that was sent to the operator; it is invalid after its end */
      invitation: {
        kind: 'invite' | 'reset' | 'breakGlass';
        expiresAt: string;
      } | null;
      factors: Array<{
        factorId: string;
        kind: 'totp' | 'passkey';
        name: string;
        createdAt: string;
        lastUsedAt: string | null;
      }>;
      /** Open sessions, newest first */
      sessions: Array<{
        sessionId: string;
        method: 'password' | 'totp' | 'passkey' | 'oidc' | 'invitation' | 'breakGlass';
        scope: 'full' | 'enrolment' | 'breakGlass';
        createdAt: string;
        /** Time of the last renewal of its tokens */
        lastUsedAt: string;
        expiresAt: string;
        address: string;
        userAgent: string;
      }>;
    };
  };
  /** Role admin. */
  'operators.invite': {
    kind: 'mutation';
    input: {
      email: string;
      role: OperatorRole;
      /** Language of the e-mail */
      language?: 'es' | 'en';
      reason?: string;
    };
    output:
      | {
          operatorId: string;
          email: string;
          role: OperatorRole;
          enabled: boolean;
          createdAt: string;
          /** `organisation`: only at its OpenID provider, which also sets the role at each sign-in */
          signsInAt: 'here' | 'organisation';
          /** Unused link that was sent to the operator; it is invalid after its end */
          invitation: {
            kind: 'invite' | 'reset' | 'breakGlass';
            expiresAt: string;
          } | null;
        }
      | {
          /** `<service>.<UUID>` */
          approvalId: string;
        };
  };
  /** Role admin. */
  'operators.list': {
    kind: 'query';
    input: {
      cursor?: string;
      limit?: number;
      role?: OperatorRole;
      enabled?: boolean;
    };
    output: {
      items: Array<{
        operatorId: string;
        email: string;
        role: OperatorRole;
        enabled: boolean;
        createdAt: string;
        /** `organisation`: only at its OpenID provider, which also sets the role at each sign-in */
        signsInAt: 'here' | 'organisation';
        /** Unused link that was sent to the operator; it is invalid after its end */
        invitation: {
          kind: 'invite' | 'reset' | 'breakGlass';
          expiresAt: string;
        } | null;
      }>;
      nextCursor: string | null;
    };
  };
  /** Role admin. */
  'operators.resetFactors': {
    kind: 'mutation';
    input: {
      operatorId: string;
      reason?: string;
      /** Language of the e-mail */
      language?: 'es' | 'en';
    };
    output: {
      operatorId: string;
      email: string;
      role: OperatorRole;
      enabled: boolean;
      createdAt: string;
      /** `organisation`: only at its OpenID provider, which also sets the role at each sign-in */
      signsInAt: 'here' | 'organisation';
      /** Unused link that was sent to the operator; it is invalid after its end */
      invitation: {
        kind: 'invite' | 'reset' | 'breakGlass';
        expiresAt: string;
      } | null;
      /** `<service>.<UUID>` */
      approvalId?: string;
    };
  };
  /** Role viewer. */
  overview: {
    kind: 'query';
    input: Record<string, never> | undefined;
    output: {
      /** Requests that have not ended, and ended ones that were registered within 30 days */
      requests: Record<Status, number>;
      registeredLastDay: number;
      generatedLastDay: number;
      /** false if a number exceeds the counting limit of 100,000 */
      isComplete: boolean;
      oldestUnfinishedAt: string | null;
      trend: {
        /** Last 24 hours, including the present one */
        hours: Array<{
          from: string;
          registered: number;
        }>;
        /** Last 30 days, including today */
        days: Array<{
          from: string;
          registered: number;
        }>;
      };
      warnings: Array<{
        code:
          | 'NO_ACTIVE_TERMS'
          | 'SERVICE_UNAVAILABLE'
          | 'ROW_NOT_AUTHENTIC'
          | 'APPLICANT_DISPUTED'
          | 'ONE_ADMINISTRATOR'
          | 'DUAL_CONTROL_OFF'
          | 'FILES_NOT_ISOLATED';
        subject: string;
        message: string;
      }>;
      /** True in a sandbox: registries and liveness are simulated, and a password alone opens a session */
      isSandbox: boolean;
      /** Last 20 findings: evidence that cannot be shown until it is restored from a backup */
      faultyEvidence: Array<{
        requestId: string;
        evidenceId: string;
        outcome: 'missing' | 'damaged' | 'unopenable';
      }>;
    };
  };
  /** Role admin. */
  'partners.addKey': {
    kind: 'mutation';
    input: {
      id: string;
      /** Public key as a JWK, or PEM (BEGIN PUBLIC KEY): RSA of 2048 to 4096 bits, P-256 or Ed25519. A partner has at most three */
      key: string | Record<string, string | Array<string> | boolean>;
      reason?: string;
    };
    output:
      | {
          keyId: string;
          algorithm: 'RSA' | 'P-256' | 'Ed25519';
          /** RFC 7638 thumbprint of the key (SHA-256, base64url) */
          thumbprint: string;
          createdAt: string;
        }
      | {
          id: string;
          clientId: string;
          name: string;
          email: string;
          passwordConfiguration: 'PARTNER' | 'ONE_TIME_PASSWORD';
          reviewPolicy: 'automatic' | 'manual' | 'four-eyes';
          legacyPkcs12: boolean;
          /** Key type of certificates issued from now on. Programs based on node-forge, such as invoice signers, open only RSA */
          keyType: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
          scopes: Array<Scope>;
          /** Webhook bodies have an envelope, `{"type","id","occurredAt","data"}`, and the code of an error */
          envelope: boolean;
          enabled: boolean;
          /** False: the partner gets tokens only with its keys, and its client secret is not accepted */
          clientSecretEnabled: boolean;
          /** Requests that the partner may register, by certificate type: per calendar month, or within the days of a package, which allows none outside of them. null or absent: no limit */
          quota: {
            TRADITIONAL_SIGNATURE?:
              | number
              | {
                  limit: number;
                  /** First day, in the time zone of the service */
                  from: string;
                  /** Last day */
                  until: string;
                }
              | null;
            TRANSACTIONAL_SIGNATURE?:
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
          /** Optional events that the partner receives, in addition to the events for all partners */
          events: Array<'certificate.expiring' | 'certificate.revoked'>;
          /** Certificate types whose subscribers get an e-mail reminder of the end */
          holderReminders: Array<CertificateType>;
          /** Subscribers may renew their certificate themselves, by the link of a reminder */
          holderRenewal: boolean;
          tokens: Array<{
            id: string;
            name: string;
            createdAt: string;
            expiresAt: string;
            revokedAt: string | null;
          }>;
          /** Newest first, including removed keys */
          keys: Array<{
            id: string;
            algorithm: 'RSA' | 'P-256' | 'Ed25519';
            /** RFC 7638 thumbprint of the key (SHA-256, base64url) */
            thumbprint: string;
            createdAt: string;
            removedAt: string | null;
          }>;
          /** Public keys (whpk_…) that verify `v1a` signatures, newest first; two during a rotation */
          webhookPublicKeys: Array<string>;
          /** Type and digest of the logo; `partners.logo` answers the picture */
          logo: {
            type: 'image/png' | 'image/jpeg' | 'image/webp';
            sha256: string;
          } | null;
          createdAt: string;
          /** `<service>.<UUID>` */
          approvalId: string;
        };
  };
  /** Role admin. */
  'partners.create': {
    kind: 'mutation';
    input: {
      name: string;
      email: string;
      passwordConfiguration?: 'PARTNER' | 'ONE_TIME_PASSWORD';
      reviewPolicy?: 'automatic' | 'manual' | 'four-eyes';
      legacyPkcs12?: boolean;
      envelope?: boolean;
      keyType?: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
      scopes?: Array<Scope>;
      /** Requests that the partner may register, by certificate type: per calendar month, or within the days of a package, which allows none outside of them. null or absent: no limit */
      quota?: {
        TRADITIONAL_SIGNATURE?:
          | number
          | {
              limit: number;
              /** First day, in the time zone of the service */
              from: string;
              /** Last day */
              until: string;
            }
          | null;
        TRANSACTIONAL_SIGNATURE?:
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
      /** Optional events that the partner receives, in addition to the events for all partners */
      events?: Array<'certificate.expiring' | 'certificate.revoked'>;
      /** Certificate types whose subscribers get an e-mail reminder of the end */
      holderReminders?: Array<CertificateType>;
      /** Subscribers may renew their certificate themselves, by the link of a reminder */
      holderRenewal?: boolean;
      /** Logo that applicants see next to the name: PNG, JPEG or WebP in base64, at most 48 KiB and 800 x 400 pixels. null removes it */
      logo?: string | null;
      reason?: string;
    };
    output:
      | {
          id: string;
          clientId: string;
          clientSecret: string;
          webhookSecret: string;
        }
      | {
          /** `<service>.<UUID>` */
          approvalId: string;
        };
  };
  /** Role viewer. */
  'partners.get': {
    kind: 'query';
    input: {
      id: string;
    };
    output: {
      id: string;
      clientId: string;
      name: string;
      email: string;
      passwordConfiguration: 'PARTNER' | 'ONE_TIME_PASSWORD';
      reviewPolicy: 'automatic' | 'manual' | 'four-eyes';
      legacyPkcs12: boolean;
      /** Key type of certificates issued from now on. Programs based on node-forge, such as invoice signers, open only RSA */
      keyType: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
      scopes: Array<Scope>;
      /** Webhook bodies have an envelope, `{"type","id","occurredAt","data"}`, and the code of an error */
      envelope: boolean;
      enabled: boolean;
      /** False: the partner gets tokens only with its keys, and its client secret is not accepted */
      clientSecretEnabled: boolean;
      /** Requests that the partner may register, by certificate type: per calendar month, or within the days of a package, which allows none outside of them. null or absent: no limit */
      quota: {
        TRADITIONAL_SIGNATURE?:
          | number
          | {
              limit: number;
              /** First day, in the time zone of the service */
              from: string;
              /** Last day */
              until: string;
            }
          | null;
        TRANSACTIONAL_SIGNATURE?:
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
      /** Optional events that the partner receives, in addition to the events for all partners */
      events: Array<'certificate.expiring' | 'certificate.revoked'>;
      /** Certificate types whose subscribers get an e-mail reminder of the end */
      holderReminders: Array<CertificateType>;
      /** Subscribers may renew their certificate themselves, by the link of a reminder */
      holderRenewal: boolean;
      tokens: Array<{
        id: string;
        name: string;
        createdAt: string;
        expiresAt: string;
        revokedAt: string | null;
      }>;
      /** Newest first, including removed keys */
      keys: Array<{
        id: string;
        algorithm: 'RSA' | 'P-256' | 'Ed25519';
        /** RFC 7638 thumbprint of the key (SHA-256, base64url) */
        thumbprint: string;
        createdAt: string;
        removedAt: string | null;
      }>;
      /** Public keys (whpk_…) that verify `v1a` signatures, newest first; two during a rotation */
      webhookPublicKeys: Array<string>;
      /** Type and digest of the logo; `partners.logo` answers the picture */
      logo: {
        type: 'image/png' | 'image/jpeg' | 'image/webp';
        sha256: string;
      } | null;
      createdAt: string;
    };
  };
  /** Role admin. */
  'partners.issueToken': {
    kind: 'mutation';
    input: {
      id: string;
      name: string;
      /** Maximum two years ahead */
      expiresAt: string;
      scopes?: Array<Scope>;
      reason?: string;
    };
    output:
      | {
          tokenId: string;
          /** API token (rbk_…), shown once */
          token: string;
          expiresAt: string;
        }
      | {
          id: string;
          clientId: string;
          name: string;
          email: string;
          passwordConfiguration: 'PARTNER' | 'ONE_TIME_PASSWORD';
          reviewPolicy: 'automatic' | 'manual' | 'four-eyes';
          legacyPkcs12: boolean;
          /** Key type of certificates issued from now on. Programs based on node-forge, such as invoice signers, open only RSA */
          keyType: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
          scopes: Array<Scope>;
          /** Webhook bodies have an envelope, `{"type","id","occurredAt","data"}`, and the code of an error */
          envelope: boolean;
          enabled: boolean;
          /** False: the partner gets tokens only with its keys, and its client secret is not accepted */
          clientSecretEnabled: boolean;
          /** Requests that the partner may register, by certificate type: per calendar month, or within the days of a package, which allows none outside of them. null or absent: no limit */
          quota: {
            TRADITIONAL_SIGNATURE?:
              | number
              | {
                  limit: number;
                  /** First day, in the time zone of the service */
                  from: string;
                  /** Last day */
                  until: string;
                }
              | null;
            TRANSACTIONAL_SIGNATURE?:
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
          /** Optional events that the partner receives, in addition to the events for all partners */
          events: Array<'certificate.expiring' | 'certificate.revoked'>;
          /** Certificate types whose subscribers get an e-mail reminder of the end */
          holderReminders: Array<CertificateType>;
          /** Subscribers may renew their certificate themselves, by the link of a reminder */
          holderRenewal: boolean;
          tokens: Array<{
            id: string;
            name: string;
            createdAt: string;
            expiresAt: string;
            revokedAt: string | null;
          }>;
          /** Newest first, including removed keys */
          keys: Array<{
            id: string;
            algorithm: 'RSA' | 'P-256' | 'Ed25519';
            /** RFC 7638 thumbprint of the key (SHA-256, base64url) */
            thumbprint: string;
            createdAt: string;
            removedAt: string | null;
          }>;
          /** Public keys (whpk_…) that verify `v1a` signatures, newest first; two during a rotation */
          webhookPublicKeys: Array<string>;
          /** Type and digest of the logo; `partners.logo` answers the picture */
          logo: {
            type: 'image/png' | 'image/jpeg' | 'image/webp';
            sha256: string;
          } | null;
          createdAt: string;
          /** `<service>.<UUID>` */
          approvalId: string;
        };
  };
  /** Role viewer. */
  'partners.list': {
    kind: 'query';
    input: {
      cursor?: string;
      limit?: number;
    };
    output: {
      items: Array<{
        id: string;
        clientId: string;
        name: string;
        email: string;
        passwordConfiguration: 'PARTNER' | 'ONE_TIME_PASSWORD';
        reviewPolicy: 'automatic' | 'manual' | 'four-eyes';
        legacyPkcs12: boolean;
        /** Key type of certificates issued from now on. Programs based on node-forge, such as invoice signers, open only RSA */
        keyType: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
        scopes: Array<Scope>;
        /** Webhook bodies have an envelope, `{"type","id","occurredAt","data"}`, and the code of an error */
        envelope: boolean;
        enabled: boolean;
        /** False: the partner gets tokens only with its keys, and its client secret is not accepted */
        clientSecretEnabled: boolean;
        /** Requests that the partner may register, by certificate type: per calendar month, or within the days of a package, which allows none outside of them. null or absent: no limit */
        quota: {
          TRADITIONAL_SIGNATURE?:
            | number
            | {
                limit: number;
                /** First day, in the time zone of the service */
                from: string;
                /** Last day */
                until: string;
              }
            | null;
          TRANSACTIONAL_SIGNATURE?:
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
        /** Optional events that the partner receives, in addition to the events for all partners */
        events: Array<'certificate.expiring' | 'certificate.revoked'>;
        /** Certificate types whose subscribers get an e-mail reminder of the end */
        holderReminders: Array<CertificateType>;
        /** Subscribers may renew their certificate themselves, by the link of a reminder */
        holderRenewal: boolean;
        createdAt: string;
      }>;
      nextCursor: string | null;
    };
  };
  /** Role viewer. */
  'partners.logo': {
    kind: 'query';
    input: {
      id: string;
    };
    output: {
      type: 'image/png' | 'image/jpeg' | 'image/webp';
      base64: string;
    } | null;
  };
  /** Role admin. */
  'partners.removeKey': {
    kind: 'mutation';
    input: {
      id: string;
      keyId: string;
      reason?: string;
    };
    output:
      | {
          keyId: string;
          removedAt: string;
        }
      | {
          id: string;
          clientId: string;
          name: string;
          email: string;
          passwordConfiguration: 'PARTNER' | 'ONE_TIME_PASSWORD';
          reviewPolicy: 'automatic' | 'manual' | 'four-eyes';
          legacyPkcs12: boolean;
          /** Key type of certificates issued from now on. Programs based on node-forge, such as invoice signers, open only RSA */
          keyType: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
          scopes: Array<Scope>;
          /** Webhook bodies have an envelope, `{"type","id","occurredAt","data"}`, and the code of an error */
          envelope: boolean;
          enabled: boolean;
          /** False: the partner gets tokens only with its keys, and its client secret is not accepted */
          clientSecretEnabled: boolean;
          /** Requests that the partner may register, by certificate type: per calendar month, or within the days of a package, which allows none outside of them. null or absent: no limit */
          quota: {
            TRADITIONAL_SIGNATURE?:
              | number
              | {
                  limit: number;
                  /** First day, in the time zone of the service */
                  from: string;
                  /** Last day */
                  until: string;
                }
              | null;
            TRANSACTIONAL_SIGNATURE?:
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
          /** Optional events that the partner receives, in addition to the events for all partners */
          events: Array<'certificate.expiring' | 'certificate.revoked'>;
          /** Certificate types whose subscribers get an e-mail reminder of the end */
          holderReminders: Array<CertificateType>;
          /** Subscribers may renew their certificate themselves, by the link of a reminder */
          holderRenewal: boolean;
          tokens: Array<{
            id: string;
            name: string;
            createdAt: string;
            expiresAt: string;
            revokedAt: string | null;
          }>;
          /** Newest first, including removed keys */
          keys: Array<{
            id: string;
            algorithm: 'RSA' | 'P-256' | 'Ed25519';
            /** RFC 7638 thumbprint of the key (SHA-256, base64url) */
            thumbprint: string;
            createdAt: string;
            removedAt: string | null;
          }>;
          /** Public keys (whpk_…) that verify `v1a` signatures, newest first; two during a rotation */
          webhookPublicKeys: Array<string>;
          /** Type and digest of the logo; `partners.logo` answers the picture */
          logo: {
            type: 'image/png' | 'image/jpeg' | 'image/webp';
            sha256: string;
          } | null;
          createdAt: string;
          /** `<service>.<UUID>` */
          approvalId: string;
        };
  };
  /** Role admin. */
  'partners.revokeToken': {
    kind: 'mutation';
    input: {
      tokenId: string;
      reason?: string;
    };
    output:
      | {
          tokenId: string;
          revokedAt: string;
        }
      | {
          id: string;
          clientId: string;
          name: string;
          email: string;
          passwordConfiguration: 'PARTNER' | 'ONE_TIME_PASSWORD';
          reviewPolicy: 'automatic' | 'manual' | 'four-eyes';
          legacyPkcs12: boolean;
          /** Key type of certificates issued from now on. Programs based on node-forge, such as invoice signers, open only RSA */
          keyType: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
          scopes: Array<Scope>;
          /** Webhook bodies have an envelope, `{"type","id","occurredAt","data"}`, and the code of an error */
          envelope: boolean;
          enabled: boolean;
          /** False: the partner gets tokens only with its keys, and its client secret is not accepted */
          clientSecretEnabled: boolean;
          /** Requests that the partner may register, by certificate type: per calendar month, or within the days of a package, which allows none outside of them. null or absent: no limit */
          quota: {
            TRADITIONAL_SIGNATURE?:
              | number
              | {
                  limit: number;
                  /** First day, in the time zone of the service */
                  from: string;
                  /** Last day */
                  until: string;
                }
              | null;
            TRANSACTIONAL_SIGNATURE?:
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
          /** Optional events that the partner receives, in addition to the events for all partners */
          events: Array<'certificate.expiring' | 'certificate.revoked'>;
          /** Certificate types whose subscribers get an e-mail reminder of the end */
          holderReminders: Array<CertificateType>;
          /** Subscribers may renew their certificate themselves, by the link of a reminder */
          holderRenewal: boolean;
          tokens: Array<{
            id: string;
            name: string;
            createdAt: string;
            expiresAt: string;
            revokedAt: string | null;
          }>;
          /** Newest first, including removed keys */
          keys: Array<{
            id: string;
            algorithm: 'RSA' | 'P-256' | 'Ed25519';
            /** RFC 7638 thumbprint of the key (SHA-256, base64url) */
            thumbprint: string;
            createdAt: string;
            removedAt: string | null;
          }>;
          /** Public keys (whpk_…) that verify `v1a` signatures, newest first; two during a rotation */
          webhookPublicKeys: Array<string>;
          /** Type and digest of the logo; `partners.logo` answers the picture */
          logo: {
            type: 'image/png' | 'image/jpeg' | 'image/webp';
            sha256: string;
          } | null;
          createdAt: string;
          /** `<service>.<UUID>` */
          approvalId: string;
        };
  };
  /** Role admin. */
  'partners.rotateSecret': {
    kind: 'mutation';
    input: {
      id: string;
      kind: 'client' | 'webhook' | 'webhook-ed25519';
      /** Ends the replaced secret now, with the tokens issued for a client secret, or the webhook secrets or keys of that kind that would sign for another week */
      immediately?: boolean;
      reason?: string;
    };
    output:
      | {
          id: string;
          kind: 'client' | 'webhook';
          secret: string;
        }
      | {
          id: string;
          kind: 'webhook-ed25519';
          /** whpk_… */
          publicKey: string;
        }
      | {
          id: string;
          clientId: string;
          name: string;
          email: string;
          passwordConfiguration: 'PARTNER' | 'ONE_TIME_PASSWORD';
          reviewPolicy: 'automatic' | 'manual' | 'four-eyes';
          legacyPkcs12: boolean;
          /** Key type of certificates issued from now on. Programs based on node-forge, such as invoice signers, open only RSA */
          keyType: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
          scopes: Array<Scope>;
          /** Webhook bodies have an envelope, `{"type","id","occurredAt","data"}`, and the code of an error */
          envelope: boolean;
          enabled: boolean;
          /** False: the partner gets tokens only with its keys, and its client secret is not accepted */
          clientSecretEnabled: boolean;
          /** Requests that the partner may register, by certificate type: per calendar month, or within the days of a package, which allows none outside of them. null or absent: no limit */
          quota: {
            TRADITIONAL_SIGNATURE?:
              | number
              | {
                  limit: number;
                  /** First day, in the time zone of the service */
                  from: string;
                  /** Last day */
                  until: string;
                }
              | null;
            TRANSACTIONAL_SIGNATURE?:
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
          /** Optional events that the partner receives, in addition to the events for all partners */
          events: Array<'certificate.expiring' | 'certificate.revoked'>;
          /** Certificate types whose subscribers get an e-mail reminder of the end */
          holderReminders: Array<CertificateType>;
          /** Subscribers may renew their certificate themselves, by the link of a reminder */
          holderRenewal: boolean;
          tokens: Array<{
            id: string;
            name: string;
            createdAt: string;
            expiresAt: string;
            revokedAt: string | null;
          }>;
          /** Newest first, including removed keys */
          keys: Array<{
            id: string;
            algorithm: 'RSA' | 'P-256' | 'Ed25519';
            /** RFC 7638 thumbprint of the key (SHA-256, base64url) */
            thumbprint: string;
            createdAt: string;
            removedAt: string | null;
          }>;
          /** Public keys (whpk_…) that verify `v1a` signatures, newest first; two during a rotation */
          webhookPublicKeys: Array<string>;
          /** Type and digest of the logo; `partners.logo` answers the picture */
          logo: {
            type: 'image/png' | 'image/jpeg' | 'image/webp';
            sha256: string;
          } | null;
          createdAt: string;
          /** `<service>.<UUID>` */
          approvalId: string;
        };
  };
  /** Role admin. */
  'partners.update': {
    kind: 'mutation';
    input: {
      id: string;
      name?: string;
      email?: string;
      passwordConfiguration?: 'PARTNER' | 'ONE_TIME_PASSWORD';
      reviewPolicy?: 'automatic' | 'manual' | 'four-eyes';
      legacyPkcs12?: boolean;
      /** Key type of certificates issued from now on. Programs based on node-forge, such as invoice signers, open only RSA */
      keyType?: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
      scopes?: Array<Scope>;
      /** Webhook bodies have an envelope, `{"type","id","occurredAt","data"}`, and the code of an error */
      envelope?: boolean;
      enabled?: boolean;
      /** False: the partner gets tokens only with its keys, and its client secret is not accepted */
      clientSecretEnabled?: boolean;
      /** Optional events that the partner receives, in addition to the events for all partners */
      events?: Array<'certificate.expiring' | 'certificate.revoked'>;
      /** Certificate types whose subscribers get an e-mail reminder of the end */
      holderReminders?: Array<CertificateType>;
      /** Subscribers may renew their certificate themselves, by the link of a reminder */
      holderRenewal?: boolean;
      /** Replaces the former quota completely */
      quota?: {
        TRADITIONAL_SIGNATURE?:
          | number
          | {
              limit: number;
              /** First day, in the time zone of the service */
              from: string;
              /** Last day */
              until: string;
            }
          | null;
        TRANSACTIONAL_SIGNATURE?:
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
      /** Logo that applicants see next to the name: PNG, JPEG or WebP in base64, at most 48 KiB and 800 x 400 pixels. null removes it */
      logo?: string | null;
      reason?: string;
    };
    output: {
      id: string;
      clientId: string;
      name: string;
      email: string;
      passwordConfiguration: 'PARTNER' | 'ONE_TIME_PASSWORD';
      reviewPolicy: 'automatic' | 'manual' | 'four-eyes';
      legacyPkcs12: boolean;
      /** Key type of certificates issued from now on. Programs based on node-forge, such as invoice signers, open only RSA */
      keyType: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
      scopes: Array<Scope>;
      /** Webhook bodies have an envelope, `{"type","id","occurredAt","data"}`, and the code of an error */
      envelope: boolean;
      enabled: boolean;
      /** False: the partner gets tokens only with its keys, and its client secret is not accepted */
      clientSecretEnabled: boolean;
      /** Requests that the partner may register, by certificate type: per calendar month, or within the days of a package, which allows none outside of them. null or absent: no limit */
      quota: {
        TRADITIONAL_SIGNATURE?:
          | number
          | {
              limit: number;
              /** First day, in the time zone of the service */
              from: string;
              /** Last day */
              until: string;
            }
          | null;
        TRANSACTIONAL_SIGNATURE?:
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
      /** Optional events that the partner receives, in addition to the events for all partners */
      events: Array<'certificate.expiring' | 'certificate.revoked'>;
      /** Certificate types whose subscribers get an e-mail reminder of the end */
      holderReminders: Array<CertificateType>;
      /** Subscribers may renew their certificate themselves, by the link of a reminder */
      holderRenewal: boolean;
      tokens: Array<{
        id: string;
        name: string;
        createdAt: string;
        expiresAt: string;
        revokedAt: string | null;
      }>;
      /** Newest first, including removed keys */
      keys: Array<{
        id: string;
        algorithm: 'RSA' | 'P-256' | 'Ed25519';
        /** RFC 7638 thumbprint of the key (SHA-256, base64url) */
        thumbprint: string;
        createdAt: string;
        removedAt: string | null;
      }>;
      /** Public keys (whpk_…) that verify `v1a` signatures, newest first; two during a rotation */
      webhookPublicKeys: Array<string>;
      /** Type and digest of the logo; `partners.logo` answers the picture */
      logo: {
        type: 'image/png' | 'image/jpeg' | 'image/webp';
        sha256: string;
      } | null;
      createdAt: string;
      /** `<service>.<UUID>` */
      approvalId?: string;
    };
  };
  /** Role viewer. */
  'partners.usage': {
    kind: 'query';
    input: {
      id: string;
      month?: string;
    };
    output: Usage;
  };
  /** Role viewer. */
  'reports.serviceLevels': {
    kind: 'query';
    input: {
      cursor?: string;
      limit?: number;
      /** Month of registration, `yyyy-MM` in the time zone of the deployment; default: this month */
      month?: string;
      partnerId?: string;
    };
    output: {
      items: Array<{
        month: string;
        partnerId: string;
        partnerName: string;
        registered: number;
        issued: number;
        refused: number;
        cancelled: number;
        expired: number;
        /** Share of all registered requests; the rest to 1 is still open. null if none was registered */
        issuedShare: number | null;
        refusedShare: number | null;
        cancelledShare: number | null;
        expiredShare: number | null;
        /** Time from registration to certificate or refusal; null if there was neither */
        outcomeP50Seconds: number | null;
        /** null if there is nothing to measure. Accurate to 3 % */
        outcomeP95Seconds: number | null;
        /** Time from registration to certificate; null if none was issued */
        certificateP50Seconds: number | null;
        /** null if there is nothing to measure. Accurate to 3 % */
        certificateP95Seconds: number | null;
        /** Events of the month for the partner’s addresses */
        webhooks: number;
        webhooksDelivered: number;
        /** Share of webhooks that the first attempt delivered; null if there were none */
        webhooksAtFirstAttempt: number | null;
        /** Time from the event to its delivery */
        webhookP50Seconds: number | null;
        /** null if there is nothing to measure. Accurate to 3 % */
        webhookP95Seconds: number | null;
        /** Number of completed waits of requests for a reviewer */
        reviews: number;
        /** null if there is nothing to measure. Accurate to 3 % */
        reviewP50Seconds: number | null;
        /** null if there is nothing to measure. Accurate to 3 % */
        reviewP95Seconds: number | null;
      }>;
      nextCursor: string | null;
      /** No figure is older than this; null if nothing was counted yet */
      asOf: string | null;
      /** false if the notifier did not answer and its figures are missing */
      hasWebhooks: boolean;
    };
  };
  /** Role viewer. */
  'reports.usage': {
    kind: 'query';
    input: {
      cursor?: string;
      limit?: number;
      /** Month of registration, `yyyy-MM` in the time zone of the deployment; default: this month */
      month?: string;
      partnerId?: string;
    };
    output: {
      items: Array<{
        month: string;
        partnerId: string;
        partnerName: string;
        byFamily: Record<
          Family,
          {
            registered: number;
            issued: number;
            refused: number;
            cancelled: number;
            expired: number;
          }
        >;
      }>;
      nextCursor: string | null;
      /** No figure is older than this; null if nothing was counted yet */
      asOf: string | null;
    };
  };
  /** Role reviewer. */
  'requests.cancel': {
    kind: 'mutation';
    input: {
      requestId: string;
      reason?: string;
    };
    output: {
      requestId: string;
      family: Family;
      partnerId: string;
      referenceTransaction: string;
      /** Masked for viewers, as in all texts of all answers */
      identificationNumber: string;
      status: Status;
      validationStatus: ValidationStatus;
      createdDate: string;
      updatedDate: string;
    };
  };
  /** Role admin. */
  'requests.erase': {
    kind: 'mutation';
    input: {
      requestId?: string;
      identificationNumber?: string;
      /** Stored in the audit log, which is never erased: must contain no personal data */
      reason: string;
    };
    output: {
      requests: Array<{
        requestId: string;
        /** Reason if nothing was erased */
        refused: 'NOT_ENDED' | 'LEGAL_HOLD' | null;
        erased: Array<
          | 'REQUEST_DATA'
          | 'EVIDENCE'
          | 'PASSWORD'
          | 'LINK'
          | 'MESSAGES'
          | 'TERMS_ACCEPTANCE'
          | 'CERTIFICATE'
          | 'BUNDLE'
          | 'DELIVERY'
        >;
        kept: Array<{
          kind:
            | 'REQUEST_DATA'
            | 'EVIDENCE'
            | 'PASSWORD'
            | 'LINK'
            | 'MESSAGES'
            | 'TERMS_ACCEPTANCE'
            | 'CERTIFICATE'
            | 'BUNDLE'
            | 'DELIVERY';
          until: string | null;
          rule:
            | 'UNTIL_END'
            | 'AT_END'
            | 'AFTER_END'
            | 'AFTER_CERTIFICATE'
            | 'DELIVERY'
            | 'REGISTER'
            | 'LEGAL_HOLD';
        }>;
      }>;
      /** false if there are more requests: call again */
      isComplete: boolean;
      /** Services that have not confirmed yet; the call to them is repeated until they do */
      pending: Array<ServiceName>;
      /** `<service>.<UUID>` */
      approvalId?: string;
    };
  };
  /** Role viewer. */
  'requests.get': {
    kind: 'query';
    input: {
      requestId: string;
    };
    output: {
      requestId: string;
      referenceTransaction: string;
      status: Status;
      validationStatus: ValidationStatus;
      applicationType: 'NATURAL_PERSON' | 'LEGAL_REPRESENTATIVE' | null;
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
        createdDate: string;
        text?: {
          id: string;
          facts?: Record<string, unknown>;
        };
      } | null;
      observations: Array<{
        type: 'ALERT' | 'WARNING' | 'INFO';
        code: ErrorCode | string;
        message: string;
        createdDate: string;
        text?: {
          id: string;
          facts?: Record<string, unknown>;
        };
      }>;
      notBefore: string | null;
      notAfter: string | null;
      createdDate: string;
      updatedDate: string;
      version: number;
      family: Family;
      partnerId: string;
      callbackUrl: string | null;
    };
  };
  /** Role reviewer. */
  'requests.holdings': {
    kind: 'query';
    input: {
      identificationNumber: string;
    };
    output: {
      identificationNumber: string;
      /** Newest first */
      requests: Array<{
        requestId: string;
        referenceTransaction: string;
        partnerId: string;
        status: Status;
        isIssued: boolean;
        createdAt: string;
        legalHold: {
          since: string;
          reason: string;
        } | null;
        holdings: Array<{
          kind:
            | 'REQUEST_DATA'
            | 'EVIDENCE'
            | 'PASSWORD'
            | 'LINK'
            | 'MESSAGES'
            | 'TERMS_ACCEPTANCE'
            | 'CERTIFICATE'
            | 'BUNDLE'
            | 'DELIVERY';
          /** Type, size, number; never the content */
          detail: string | null;
          since: string;
          /** null: no end is known yet, or there is none */
          until: string | null;
          rule:
            | 'UNTIL_END'
            | 'AT_END'
            | 'AFTER_END'
            | 'AFTER_CERTIFICATE'
            | 'DELIVERY'
            | 'REGISTER'
            | 'LEGAL_HOLD';
          service: ServiceName;
        }>;
      }>;
      /** false if there are more requests than fit in one answer */
      isComplete: boolean;
      /** Services that did not answer */
      unanswered: Array<ServiceName>;
    };
  };
  /** Role admin. */
  'requests.legalHold': {
    kind: 'mutation';
    input: {
      requestId: string;
      /** Stored in the audit log, which is never erased: must contain no personal data */
      reason: string;
    };
    output: {
      requestId: string;
      legalHold: {
        since: string;
        reason: string;
      } | null;
      /** Services that have not confirmed yet; the call to them is repeated until they do */
      pending: Array<ServiceName>;
      /** `<service>.<UUID>` */
      approvalId?: string;
    };
  };
  /** Role admin. */
  'requests.releaseLegalHold': {
    kind: 'mutation';
    input: {
      requestId: string;
      /** Stored in the audit log, which is never erased: must contain no personal data */
      reason: string;
    };
    output: {
      requestId: string;
      legalHold: {
        since: string;
        reason: string;
      } | null;
      /** Services that have not confirmed yet; the call to them is repeated until they do */
      pending: Array<ServiceName>;
      /** `<service>.<UUID>` */
      approvalId?: string;
    };
  };
  /** Role reviewer. */
  'requests.rerun': {
    kind: 'mutation';
    input: {
      requestId: string;
      reason?: string;
    };
    output: {
      requestId: string;
      family: Family;
      partnerId: string;
      referenceTransaction: string;
      /** Masked for viewers, as in all texts of all answers */
      identificationNumber: string;
      status: Status;
      validationStatus: ValidationStatus;
      createdDate: string;
      updatedDate: string;
    };
  };
  /** Role viewer. */
  'requests.search': {
    kind: 'query';
    input: {
      cursor?: string;
      limit?: number;
      status?: Status;
      validationStatus?: ValidationStatus;
      family?: Family;
      partnerId?: string;
      /** Only reviewers and administrators may search by it */
      identificationNumber?: string;
      referenceTransaction?: string;
      /** Each word must begin a word of the applicant’s names, ignoring accents and case */
      name?: string;
      /** Address or its beginning, ignoring case; only reviewers and administrators may search by it */
      email?: string;
      /** Registered at this time or later */
      from?: string;
      /** Registered before this time */
      to?: string;
    };
    output: {
      items: Array<{
        requestId: string;
        family: Family;
        partnerId: string;
        referenceTransaction: string;
        /** Masked for viewers, as in all texts of all answers */
        identificationNumber: string;
        status: Status;
        validationStatus: ValidationStatus;
        createdDate: string;
        updatedDate: string;
        /** Name of the applicant; null if it is unknown or erased */
        name: string | null;
      }>;
      nextCursor: string | null;
      /** Present if the search stopped before the page was full: it covered everything newer than this time, and `nextCursor` continues with older rows */
      lookedBackTo?: string;
    };
  };
  /** Role viewer. */
  'requests.timeline': {
    kind: 'query';
    input: {
      requestId: string;
    };
    output: {
      items: Array<{
        at: string;
        kind: string;
        status: Status | null;
        validationStatus: ValidationStatus | null;
        code: string | null;
        actor: string;
        reason: string | null;
      }>;
    };
  };
  /** Role reviewer. */
  'reviews.approve': {
    kind: 'mutation';
    input: {
      requestId: string;
      /** Internal comment, stored in the audit log, which is never erased: must contain no personal data */
      comment?: string;
      reason?: string;
      /** `shownSha256` of the `reviews.get` that was shown. REVIEW_CHANGED if the request has changed since. Required from the next release on */
      shownSha256?: string;
    };
    output: {
      requestId: string;
      family: Family;
      partnerId: string;
      referenceTransaction: string;
      /** Masked for viewers, as in all texts of all answers */
      identificationNumber: string;
      status: Status;
      validationStatus: ValidationStatus;
      createdDate: string;
      updatedDate: string;
      approvals: number;
      /** Number of approvals that the review needs, each by another operator */
      approvalsNeeded: number;
    };
  };
  /** Role reviewer. */
  'reviews.assign': {
    kind: 'mutation';
    input: {
      requestId: string;
      /** Internal comment, stored in the audit log, which is never erased: must contain no personal data */
      comment?: string;
      reason?: string;
      /** Absent: assigns it to the caller. null: removes the assignment */
      operatorEmail?: string | null;
    };
    output: {
      requestId: string;
      family: Family;
      partnerId: string;
      referenceTransaction: string;
      /** Masked for viewers, as in all texts of all answers */
      identificationNumber: string;
      status: Status;
      validationStatus: ValidationStatus;
      createdDate: string;
      updatedDate: string;
      /** Policy when the review began */
      reviewPolicy: 'manual' | 'four-eyes';
      reviewReason: 'POLICY' | 'REGISTRY';
      waitingSince: string;
      ageSeconds: number;
      /** E-mail of the operator */
      assignedTo: string | null;
      /** Approvals of the present validation attempt by operators who may decide now; others do not count */
      approvals: number;
      approvalsNeeded: number;
      observations: Array<{
        type: 'ALERT' | 'WARNING' | 'INFO';
        code: string;
        message: string;
        /** Template and facts of `message`, which the gateway renders */
        text?: {
          id: string;
          facts?: Record<string, unknown>;
        };
        createdDate: string;
      }>;
    };
  };
  /** Role reviewer. */
  'reviews.evidence': {
    kind: 'mutation';
    input: {
      requestId: string;
      evidenceId: string;
      /** Internal comment, stored in the audit log, which is never erased: must contain no personal data */
      comment?: string;
      reason?: string;
    };
    output: {
      /** Valid for the caller only, for five minutes; each opening is audited */
      url: string;
      expiresAt: string;
    };
  };
  /** Role viewer. */
  'reviews.get': {
    kind: 'query';
    input: {
      requestId: string;
    };
    output: {
      requestId: string;
      family: Family;
      partnerId: string;
      referenceTransaction: string;
      /** Masked for viewers, as in all texts of all answers */
      identificationNumber: string;
      status: Status;
      validationStatus: ValidationStatus;
      createdDate: string;
      updatedDate: string;
      /** Policy when the review began */
      reviewPolicy: 'manual' | 'four-eyes';
      reviewReason: 'POLICY' | 'REGISTRY';
      waitingSince: string;
      ageSeconds: number;
      /** E-mail of the operator */
      assignedTo: string | null;
      /** Approvals of the present validation attempt by operators who may decide now; others do not count */
      approvals: number;
      approvalsNeeded: number;
      observations: Array<{
        type: 'ALERT' | 'WARNING' | 'INFO';
        code: string;
        message: string;
        /** Template and facts of `message`, which the gateway renders */
        text?: {
          id: string;
          facts?: Record<string, unknown>;
        };
        createdDate: string;
      }>;
      /** null for viewers, and for reviewers once the request no longer waits */
      applicant: {
        applicationType: 'NATURAL_PERSON' | 'LEGAL_REPRESENTATIVE';
        certificateType: CertificateType;
        period: Period;
        details: Record<string, string | boolean>;
      } | null;
      /** null if `applicant` is */
      evidence: Array<{
        evidenceId: string;
        /** Field of the body that contained it */
        field: string | null;
        evidenceType: string | null;
        mediaType: string | null;
        size: number | null;
        sha256: string | null;
        validatorUrl: string | null;
      }> | null;
      approvalLog: Array<{
        operator: string;
        at: string;
        validationAttempt: number;
        comment: string | null;
        /** false if it precedes a correction, or its operator may no longer decide */
        counts: boolean;
      }>;
      timeline: Array<{
        at: string;
        kind: string;
        status: Status | null;
        validationStatus: ValidationStatus | null;
        code: string | null;
        actor: string;
        reason: string | null;
      }>;
      /** Operators who have the request open now, including the caller, in order of opening */
      openedBy: Array<{
        operatorId: string;
        /** E-mail of the operator */
        operator: string;
        since: string;
      }>;
      /** Digest of applicant, evidence, observations and attempt, which decisions send. null if `applicant` is */
      shownSha256: string | null;
    };
  };
  /** Role reviewer. */
  'reviews.leave': {
    kind: 'mutation';
    input: {
      requestId: string;
    };
    output: {
      /** Operators who have the request open now, including the caller, in order of opening */
      openedBy: Array<{
        operatorId: string;
        /** E-mail of the operator */
        operator: string;
        since: string;
      }>;
    };
  };
  /** Role reviewer. */
  'reviews.open': {
    kind: 'mutation';
    input: {
      requestId: string;
    };
    output: {
      /** Operators who have the request open now, including the caller, in order of opening */
      openedBy: Array<{
        operatorId: string;
        /** E-mail of the operator */
        operator: string;
        since: string;
      }>;
      /** Call again before this time while the page is open */
      until: string;
    };
  };
  /** Role viewer. */
  'reviews.queue': {
    kind: 'query';
    input: {
      cursor?: string;
      limit?: number;
      family?: Family;
      partnerId?: string;
      /** `me`, `nobody`, or the id of an operator */
      assignedTo?: 'me' | 'nobody' | string;
      reviewPolicy?: 'manual' | 'four-eyes';
      minAgeSeconds?: number;
    };
    output: {
      items: Array<{
        requestId: string;
        family: Family;
        partnerId: string;
        referenceTransaction: string;
        /** Masked for viewers, as in all texts of all answers */
        identificationNumber: string;
        status: Status;
        validationStatus: ValidationStatus;
        createdDate: string;
        updatedDate: string;
        /** Policy when the review began */
        reviewPolicy: 'manual' | 'four-eyes';
        reviewReason: 'POLICY' | 'REGISTRY';
        waitingSince: string;
        ageSeconds: number;
        /** E-mail of the operator */
        assignedTo: string | null;
        /** Approvals of the present validation attempt by operators who may decide now; others do not count */
        approvals: number;
        approvalsNeeded: number;
        observations: Array<{
          type: 'ALERT' | 'WARNING' | 'INFO';
          code: string;
          message: string;
          /** Template and facts of `message`, which the gateway renders */
          text?: {
            id: string;
            facts?: Record<string, unknown>;
          };
          createdDate: string;
        }>;
      }>;
      nextCursor: string | null;
    };
  };
  /** Role reviewer. */
  'reviews.reject': {
    kind: 'mutation';
    input: {
      requestId: string;
      /** Internal comment, stored in the audit log, which is never erased: must contain no personal data */
      comment?: string;
      reason?: string;
      /** `shownSha256` of the `reviews.get` that was shown. REVIEW_CHANGED if the request has changed since. Required from the next release on */
      shownSha256?: string;
      /** The partner receives their texts */
      codes: Array<
        | 'REVIEW_REJECTED'
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
      >;
    };
    output: {
      requestId: string;
      family: Family;
      partnerId: string;
      referenceTransaction: string;
      /** Masked for viewers, as in all texts of all answers */
      identificationNumber: string;
      status: Status;
      validationStatus: ValidationStatus;
      createdDate: string;
      updatedDate: string;
      approvals: number;
      /** Number of approvals that the review needs, each by another operator */
      approvalsNeeded: number;
    };
  };
  /** Role reviewer. */
  'reviews.requestCorrection': {
    kind: 'mutation';
    input: {
      requestId: string;
      /** Internal comment, stored in the audit log, which is never erased: must contain no personal data */
      comment?: string;
      reason?: string;
      /** `shownSha256` of the `reviews.get` that was shown. REVIEW_CHANGED if the request has changed since. Required from the next release on */
      shownSha256?: string;
      /** The first is the code of the error; the partner receives the texts of all */
      codes: Array<
        | 'FINGER_CODE_MISMATCH'
        | 'NAME_MISMATCH'
        | 'DOCUMENT_ILLEGIBLE'
        | 'SELFIE_MISMATCH'
        | 'RUC_INVALID'
        | 'EVIDENCE_INVALID'
        | 'EVIDENCE_MISSING'
      >;
      /** Fields that may be sent again; default: the fields of the codes */
      fields?: Array<
        | 'fingerCode'
        | 'applicantName'
        | 'applicantLastName'
        | 'applicantSecondLastName'
        | 'evidences'
        | 'identificationFront'
        | 'identificationBack'
        | 'identificationSelfie'
        | 'pdfCompanyRuc'
        | 'pdfRepresentativeAppointment'
        | 'pdfCompanyConstitution'
        | 'authorizationVideo'
      >;
    };
    output: {
      requestId: string;
      family: Family;
      partnerId: string;
      referenceTransaction: string;
      /** Masked for viewers, as in all texts of all answers */
      identificationNumber: string;
      status: Status;
      validationStatus: ValidationStatus;
      createdDate: string;
      updatedDate: string;
      approvals: number;
      /** Number of approvals that the review needs, each by another operator */
      approvalsNeeded: number;
    };
  };
  /** Role admin. */
  'terms.activate': {
    kind: 'mutation';
    input: {
      id: string;
      reason?: string;
    };
    output: {
      id: string;
      version: string;
      content: string;
      type: CertificateType;
      active: boolean;
      createdDate: string;
      /** `<service>.<UUID>` */
      approvalId?: string;
    };
  };
  /** Role admin. */
  'terms.createVersion': {
    kind: 'mutation';
    input: {
      type: CertificateType;
      version: string;
      content: string;
      reason?: string;
    };
    output: {
      id: string;
      version: string;
      content: string;
      type: CertificateType;
      active: boolean;
      createdDate: string;
    };
  };
  /** Role viewer. */
  'terms.list': {
    kind: 'query';
    input: {
      cursor?: string;
      limit?: number;
      type?: CertificateType;
    };
    output: {
      items: Array<{
        id: string;
        version: string;
        content: string;
        type: CertificateType;
        active: boolean;
        createdDate: string;
      }>;
      nextCursor: string | null;
    };
  };
}

export type OperatorPath = keyof Procedures;

/** Kind of each procedure, query or mutation, and the lowest role that may call it. */
export const operatorProcedures = {
  'approvals.approve': { kind: 'mutation', role: 'admin' },
  'approvals.get': { kind: 'query', role: 'admin' },
  'approvals.list': { kind: 'query', role: 'admin' },
  'approvals.passkeyOptions': { kind: 'mutation', role: 'admin' },
  'approvals.reject': { kind: 'mutation', role: 'admin' },
  'audit.list': { kind: 'query', role: 'viewer' },
  'audit.verify': { kind: 'query', role: 'admin' },
  'auth.acceptInvitation': { kind: 'mutation', role: 'public' },
  'auth.changePassword': { kind: 'mutation', role: 'viewer' },
  'auth.endSession': { kind: 'mutation', role: 'viewer' },
  'auth.enrolPasskey': { kind: 'mutation', role: 'viewer' },
  'auth.enrolTotp': { kind: 'mutation', role: 'viewer' },
  'auth.passkeyOptions': { kind: 'mutation', role: 'public' },
  'auth.passkeySignIn': { kind: 'mutation', role: 'public' },
  'auth.readInvitation': { kind: 'mutation', role: 'public' },
  'auth.refresh': { kind: 'mutation', role: 'public' },
  'auth.removeFactor': { kind: 'mutation', role: 'viewer' },
  'auth.sessions': { kind: 'query', role: 'viewer' },
  'auth.signIn': { kind: 'mutation', role: 'public' },
  'auth.signOut': { kind: 'mutation', role: 'viewer' },
  'authorities.list': { kind: 'query', role: 'viewer' },
  'certificates.get': { kind: 'query', role: 'viewer' },
  'certificates.hold': { kind: 'mutation', role: 'admin' },
  'certificates.release': { kind: 'mutation', role: 'admin' },
  'certificates.revoke': { kind: 'mutation', role: 'admin' },
  'certificates.revokeMany': { kind: 'mutation', role: 'admin' },
  'certificates.search': { kind: 'query', role: 'viewer' },
  'deliveries.destinations': { kind: 'query', role: 'viewer' },
  'deliveries.enableDestination': { kind: 'mutation', role: 'reviewer' },
  'deliveries.get': { kind: 'query', role: 'viewer' },
  'deliveries.ping': { kind: 'mutation', role: 'reviewer' },
  'deliveries.recover': { kind: 'mutation', role: 'reviewer' },
  'deliveries.resend': { kind: 'mutation', role: 'reviewer' },
  'deliveries.search': { kind: 'query', role: 'viewer' },
  'messages.resend': { kind: 'mutation', role: 'reviewer' },
  'messages.search': { kind: 'query', role: 'viewer' },
  'operators.changeRole': { kind: 'mutation', role: 'admin' },
  'operators.disable': { kind: 'mutation', role: 'admin' },
  'operators.enable': { kind: 'mutation', role: 'admin' },
  'operators.endSessions': { kind: 'mutation', role: 'admin' },
  'operators.get': { kind: 'query', role: 'admin' },
  'operators.invite': { kind: 'mutation', role: 'admin' },
  'operators.list': { kind: 'query', role: 'admin' },
  'operators.resetFactors': { kind: 'mutation', role: 'admin' },
  overview: { kind: 'query', role: 'viewer' },
  'partners.addKey': { kind: 'mutation', role: 'admin' },
  'partners.create': { kind: 'mutation', role: 'admin' },
  'partners.get': { kind: 'query', role: 'viewer' },
  'partners.issueToken': { kind: 'mutation', role: 'admin' },
  'partners.list': { kind: 'query', role: 'viewer' },
  'partners.logo': { kind: 'query', role: 'viewer' },
  'partners.removeKey': { kind: 'mutation', role: 'admin' },
  'partners.revokeToken': { kind: 'mutation', role: 'admin' },
  'partners.rotateSecret': { kind: 'mutation', role: 'admin' },
  'partners.update': { kind: 'mutation', role: 'admin' },
  'partners.usage': { kind: 'query', role: 'viewer' },
  'reports.serviceLevels': { kind: 'query', role: 'viewer' },
  'reports.usage': { kind: 'query', role: 'viewer' },
  'requests.cancel': { kind: 'mutation', role: 'reviewer' },
  'requests.erase': { kind: 'mutation', role: 'admin' },
  'requests.get': { kind: 'query', role: 'viewer' },
  'requests.holdings': { kind: 'query', role: 'reviewer' },
  'requests.legalHold': { kind: 'mutation', role: 'admin' },
  'requests.releaseLegalHold': { kind: 'mutation', role: 'admin' },
  'requests.rerun': { kind: 'mutation', role: 'reviewer' },
  'requests.search': { kind: 'query', role: 'viewer' },
  'requests.timeline': { kind: 'query', role: 'viewer' },
  'reviews.approve': { kind: 'mutation', role: 'reviewer' },
  'reviews.assign': { kind: 'mutation', role: 'reviewer' },
  'reviews.evidence': { kind: 'mutation', role: 'reviewer' },
  'reviews.get': { kind: 'query', role: 'viewer' },
  'reviews.leave': { kind: 'mutation', role: 'reviewer' },
  'reviews.open': { kind: 'mutation', role: 'reviewer' },
  'reviews.queue': { kind: 'query', role: 'viewer' },
  'reviews.reject': { kind: 'mutation', role: 'reviewer' },
  'reviews.requestCorrection': { kind: 'mutation', role: 'reviewer' },
  'terms.activate': { kind: 'mutation', role: 'admin' },
  'terms.createVersion': { kind: 'mutation', role: 'admin' },
  'terms.list': { kind: 'query', role: 'viewer' },
} as const satisfies {
  readonly [P in OperatorPath]: {
    readonly kind: Procedures[P]['kind'];
    readonly role: OperatorRole | 'public';
  };
};
