// Made from packages/contracts by scripts/generate.ts: change it there.

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
  /** `null` until it is issued */
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
  /** Of registration */
  month: string;
  /** As it is set now, by certificate type; null: none */
  quota: {
    TRADITIONAL_SIGNATURE:
      | number
      | {
          limit: number;
          /** The first day, in the time zone of the service */
          from: string;
          /** The last day */
          until: string;
        }
      | null;
    TRANSACTIONAL_SIGNATURE:
      | number
      | {
          limit: number;
          /** The first day, in the time zone of the service */
          from: string;
          /** The last day */
          until: string;
        }
      | null;
  };
  /** `reserved` and `issued` together: what counts against a quota */
  used: {
    TRADITIONAL_SIGNATURE: number;
    TRANSACTIONAL_SIGNATURE: number;
  };
  /** Still open */
  reserved: {
    TRADITIONAL_SIGNATURE: number;
    TRANSACTIONAL_SIGNATURE: number;
  };
  /** With a certificate */
  issued: {
    TRADITIONAL_SIGNATURE: number;
    TRANSACTIONAL_SIGNATURE: number;
  };
  /** Of those that were issued */
  revoked: {
    TRADITIONAL_SIGNATURE: number;
    TRANSACTIONAL_SIGNATURE: number;
  };
  /** By family */
  byFamily: {
    TV: UsageOfFamily;
    FR: UsageOfFamily;
    FT: UsageOfFamily;
    FS: UsageOfFamily;
    API: UsageOfFamily;
  };
}

export interface UsageOfFamily {
  /** All of the following, and those that are still open */
  registered: number;
  /** With a certificate */
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

/** What goes to a procedure and what it answers. */
export interface Procedures {
  /** Role admin. */
  'approvals.approve': {
    kind: 'mutation';
    input: {
      /** `<service>.<UUID>` */
      id: string;
      reason?: string;
      /** What a passkey of yours has signed by `approvals.passkeyOptions`. Who has a passkey has to send it, else `PASSKEY_NEEDED` */
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
      /** The record as it was when the change was proposed; null for a new one */
      before: Record<string, unknown> | null;
      /** The same with the change */
      after: Record<string, unknown>;
      /** The operator's e-mail */
      proposedBy: string;
      reason: string | null;
      createdAt: string;
      expiresAt: string;
      /** What the procedure answers, new secrets included: shown here once */
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
      /** The record as it was when the change was proposed; null for a new one */
      before: Record<string, unknown> | null;
      /** The same with the change */
      after: Record<string, unknown>;
      /** The operator's e-mail */
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
      /** The `nextCursor` of the page before */
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
        /** The record as it was when the change was proposed; null for a new one */
        before: Record<string, unknown> | null;
        /** The same with the change */
        after: Record<string, unknown>;
        /** The operator's e-mail */
        proposedBy: string;
        reason: string | null;
        createdAt: string;
        expiresAt: string;
      }>;
      nextCursor: string | null;
      /** Services that could not be asked: what waits there is missing, so begin again later */
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
      /** For `navigator.credentials.get`, good for 5 minutes and once; the challenge begins with the proposal's SHA-256. null for who has no passkey: nothing is to be signed */
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
      /** The record as it was when the change was proposed; null for a new one */
      before: Record<string, unknown> | null;
      /** The same with the change */
      after: Record<string, unknown>;
      /** The operator's e-mail */
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
      /** Whose log: generation decides on certificates, intake on requests, partners and operators, terms on what people accept; notifier sends again what operators ask for */
      service?: 'intake' | 'generation' | 'terms' | 'notifier';
      cursor?: string;
      limit?: number;
      /** Exactly, such as operator:admin@example.com */
      actor?: string;
      /** Exactly, such as certificate.issued */
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
        /** Place in the chain; null until it has one, about a second */
        sequence: number | null;
        /** SHA-256, hex */
        hash: string | null;
        at: string;
        actor: string;
        action: string;
        /** What was acted on, such as partner:<id> or certificate:<serial> */
        target: string | null;
        requestId: string | null;
        reason: string | null;
        details: Record<string, unknown>;
        /** False where the service did not write it: it was added in its database, and counts for nothing */
        isAuthentic?: boolean;
      }>;
      nextCursor: string | null;
    };
  };
  /** Role admin. */
  'audit.verify': {
    kind: 'query';
    input: {
      /** Whose log: generation decides on certificates, intake on requests, partners and operators, terms on what people accept; notifier sends again what operators ask for */
      service?: 'intake' | 'generation' | 'terms' | 'notifier';
      /** Where to go on; the first place of the chain unless given */
      cursor?: string;
      /** Rows to look at in this call */
      limit?: number;
      /** One that was kept elsewhere, compact JWS */
      checkpoint?: string;
    };
    output: {
      service: 'intake' | 'generation' | 'terms' | 'notifier';
      /** Nothing was found in the rows that this call looked at */
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
      /** null: the end was reached */
      nextCursor: string | null;
      /** Last place of the chain */
      end: number;
      /** Place that the last checkpoint speaks of */
      lastCheckpoint: number;
      /** Rows without a place yet; told when the end is reached */
      unchained: number;
    };
  };
  /** Open to all. */
  'auth.acceptInvitation': {
    kind: 'mutation';
    input: {
      token: string;
      /** Of the operator from now on; none for `breakGlass` */
      password?: string;
    };
    output: {
      accessToken: string;
      /** Seconds */
      expiresIn: number;
      refreshToken: string;
      role: OperatorRole;
      /** `enrolment` until a second factor is enrolled, where one is due */
      scope: 'full' | 'enrolment' | 'breakGlass';
    };
  };
  /** Role viewer. */
  'auth.changePassword': {
    kind: 'mutation';
    input: {
      currentPassword: string;
      /** 12 characters or more; one that is soon guessed is refused */
      newPassword: string;
      reason?: string;
    };
    output: {
      /** How many sessions */
      ended: number;
    };
  };
  /** Role viewer. */
  'auth.endSession': {
    kind: 'mutation';
    input: {
      sessionId?: string;
      /** This one too: signed out everywhere */
      all?: true;
      reason?: string;
    };
    output: {
      /** How many sessions */
      ended: number;
    };
  };
  /** Role viewer. */
  'auth.enrolPasskey': {
    kind: 'mutation';
    input: {
      /** Without it options are made; with it, the passkey made by them is enrolled */
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
      /** By which its owner knows it */
      name?: string;
      /** Needed, else `FRESH_PROOF_NEEDED`. Operators of the organisation’s provider have none: they sign in within ten minutes before */
      currentPassword?: string;
      reason?: string;
    };
    output:
      | {
          /** For `navigator.credentials.create` */
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
      /** Without it a new secret is made; with it, that secret is confirmed */
      code?: string;
      /** Needed, else `FRESH_PROOF_NEEDED`. Operators of the organisation’s provider have none: they sign in within ten minutes before */
      currentPassword?: string;
      reason?: string;
    };
    output:
      | {
          /** Base32, for who types it */
          secret: string;
          /** The same as a QR code holds it */
          otpauthUri: string;
        }
      | {
          factorId: string;
          /** Each signs in once in place of a code; shown here once */
          recoveryCodes: Array<string>;
        };
  };
  /** Open to all. */
  'auth.passkeyOptions': {
    kind: 'mutation';
    input: Record<string, never> | undefined;
    output: {
      /** For `navigator.credentials.get`, good for 5 minutes and once */
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
      /** Seconds */
      expiresIn: number;
      refreshToken: string;
      role: OperatorRole;
      /** `enrolment` until a second factor is enrolled, where one is due */
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
      /** Seconds */
      expiresIn: number;
      refreshToken: string;
      role: OperatorRole;
      /** `enrolment` until a second factor is enrolled, where one is due */
      scope: 'full' | 'enrolment' | 'breakGlass';
    };
  };
  /** Role viewer. */
  'auth.removeFactor': {
    kind: 'mutation';
    input: {
      factorId: string;
      /** Needed, else `FRESH_PROOF_NEEDED`. Operators of the organisation’s provider have none: they sign in within ten minutes before */
      currentPassword?: string;
      reason?: string;
    };
    output: {
      factorId: string;
      /** Other sessions that ended */
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
      /** Those that are open, newest first */
      items: Array<{
        sessionId: string;
        method: 'password' | 'totp' | 'passkey' | 'oidc' | 'invitation' | 'breakGlass';
        scope: 'full' | 'enrolment' | 'breakGlass';
        createdAt: string;
        /** When its tokens were last renewed */
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
      /** A one-time code or a recovery code, where `challenge` asked for one */
      code?: string;
    };
    output:
      | {
          accessToken: string;
          /** Seconds */
          expiresIn: number;
          refreshToken: string;
          role: OperatorRole;
          /** `enrolment` until a second factor is enrolled, where one is due */
          scope: 'full' | 'enrolment' | 'breakGlass';
        }
      | {
          /** The password is right. `code`: sign in again with a code beside it; `passkey`: sign in with the passkey */
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
      /** How many sessions */
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
        /** Names its public files: `/pki/<name>.cer` and `.crl` */
        name: string;
        kind: 'root' | 'issuing';
        /** It signs new certificates now; others sign CRLs and OCSP answers only */
        signs: boolean;
        /** Of a root that was taken away: only a ceremony can use it */
        keyIsElsewhere: boolean;
        subject: string;
        serialNumber: string;
        notBefore: string;
        notAfter: string;
        /** End of its OCSP responder; null for a root */
        responderNotAfter: string | null;
        /** That of all its certificates, as it is served now; null where there is none yet */
        crl: {
          /** null: it came with the answers of a ceremony */
          number: number | null;
          thisUpdate: string;
          nextUpdate: string;
        } | null;
      }>;
      /** Authorities whose key is made and whose certificate a ceremony has still to bring */
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
      /** As the authority signed it; `not known` where no certificate that it signed is stored */
      subject: string;
      issuer: string;
      profile: string;
      /** A hold shows as REVOKED, with the reason certificateHold */
      status: CertificateStatus;
      /** Since when it is not valid, as CRL and OCSP say it */
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
      /** The end that the period asked for */
      requestedNotAfter: string;
      cappedBy: 'ISSUER' | 'APPOINTMENT' | null;
      heldAt: string | null;
      /** To be read before `certificates.hold`: what a hold does that a release does not undo. Null where none may be put on */
      holdNotice: {
        es: string;
        en: string;
      } | null;
      /** The CRL that speaks of it */
      crlUri: string;
      /** null for viewers, since the subject stands in it, and where no certificate that the authority signed is stored */
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
      /** As the authority signed it; `not known` where no certificate that it signed is stored */
      subject: string;
      issuer: string;
      profile: string;
      /** A hold shows as REVOKED, with the reason certificateHold */
      status: CertificateStatus;
      /** Since when it is not valid, as CRL and OCSP say it */
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
      /** As the authority signed it; `not known` where no certificate that it signed is stored */
      subject: string;
      issuer: string;
      profile: string;
      /** A hold shows as REVOKED, with the reason certificateHold */
      status: CertificateStatus;
      /** Since when it is not valid, as CRL and OCSP say it */
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
      /** Absent: `reason` where that is one of these words, else unspecified */
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
      /** As the authority signed it; `not known` where no certificate that it signed is stored */
      subject: string;
      issuer: string;
      profile: string;
      /** A hold shows as REVOKED, with the reason certificateHold */
      status: CertificateStatus;
      /** Since when it is not valid, as CRL and OCSP say it */
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
      /** For reviewers and administrators */
      identificationNumber?: string;
      /** Each word begins a word of the names in the subject; accents and case do not count */
      name?: string;
      status?: 'VALID';
      /** Ends at this time or later */
      notAfterFrom?: string;
      /** Ends before this time */
      notAfterTo?: string;
      /** How many valid ones the filters find; where they find others, nothing is done */
      count: number;
      revocationReason:
        | 'unspecified'
        | 'keyCompromise'
        | 'affiliationChanged'
        | 'superseded'
        | 'cessationOfOperation'
        | 'privilegeWithdrawn';
      /** Goes to the audit log with each of them */
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
      /** For reviewers and administrators */
      identificationNumber?: string;
      /** Each word begins a word of the names in the subject; accents and case do not count */
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
        /** As the authority signed it; `not known` where no certificate that it signed is stored */
        subject: string;
        issuer: string;
        profile: string;
        /** A hold shows as REVOKED, with the reason certificateHold */
        status: CertificateStatus;
        /** Since when it is not valid, as CRL and OCSP say it */
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
      /** There where the look ended before the page was full: all that is newer was looked at, and `nextCursor` looks further back */
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
      /** DISABLED: events are stored and not sent; TRIAL: enabled by hand and not seen working yet */
      state?: 'FAILING' | 'DISABLED' | 'TRIAL';
    };
    output: {
      items: Array<{
        id: string;
        partnerId: string;
        destination: string;
        /** DISABLED: events are stored and not sent; TRIAL: enabled by hand and not seen working yet */
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
      /** DISABLED: events are stored and not sent; TRIAL: enabled by hand and not seen working yet */
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
        /** Of the whole body, as the receiver can compute it */
        sha256: string;
        fields: Array<{
          name: string;
          kind: 'text' | 'base64' | 'secret';
          /** Of what is encoded, where it is base64; null of a secret */
          bytes: number | null;
          /** Of what is encoded; null where it is not base64 */
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
        /** How the receiver answered, where it did not acknowledge: its first words, without what was sent to it */
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
      /** The webhook-id of the call */
      id: string;
      acknowledged: boolean;
      outcome: string;
      status: number | null;
      /** In plain words, never the words of the receiver */
      error: string | null;
      durationMs: number;
    };
  };
  /** Role reviewer. */
  'deliveries.recover': {
    kind: 'mutation';
    input: {
      partnerId: string;
      /** Time of the event, inclusive */
      from: string;
      /** Exclusive */
      to: string;
      /** Absent: all that were not delivered */
      state?: 'EXHAUSTED' | 'STOPPED' | 'DELIVERED';
      reason?: string;
    };
    output: {
      count: number;
      /** False where more are left than one call takes: call again */
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
      /** Null for an e-mail to an operator */
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
        /** Null for an e-mail to an operator */
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
      /** `organisation`: at its OpenID provider alone, which also gives the role, at each sign-in */
      signsInAt: 'here' | 'organisation';
      /** The link that was sent and has not been used; it opens nothing after its end */
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
      /** `organisation`: at its OpenID provider alone, which also gives the role, at each sign-in */
      signsInAt: 'here' | 'organisation';
      /** The link that was sent and has not been used; it opens nothing after its end */
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
      /** `organisation`: at its OpenID provider alone, which also gives the role, at each sign-in */
      signsInAt: 'here' | 'organisation';
      /** The link that was sent and has not been used; it opens nothing after its end */
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
      /** How many sessions */
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
      /** `organisation`: at its OpenID provider alone, which also gives the role, at each sign-in */
      signsInAt: 'here' | 'organisation';
      /** The link that was sent and has not been used; it opens nothing after its end */
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
      /** Those that are open, newest first */
      sessions: Array<{
        sessionId: string;
        method: 'password' | 'totp' | 'passkey' | 'oidc' | 'invitation' | 'breakGlass';
        scope: 'full' | 'enrolment' | 'breakGlass';
        createdAt: string;
        /** When its tokens were last renewed */
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
      /** Of the e-mail */
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
          /** `organisation`: at its OpenID provider alone, which also gives the role, at each sign-in */
          signsInAt: 'here' | 'organisation';
          /** The link that was sent and has not been used; it opens nothing after its end */
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
        /** `organisation`: at its OpenID provider alone, which also gives the role, at each sign-in */
        signsInAt: 'here' | 'organisation';
        /** The link that was sent and has not been used; it opens nothing after its end */
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
      /** Of the e-mail */
      language?: 'es' | 'en';
    };
    output: {
      operatorId: string;
      email: string;
      role: OperatorRole;
      enabled: boolean;
      createdAt: string;
      /** `organisation`: at its OpenID provider alone, which also gives the role, at each sign-in */
      signsInAt: 'here' | 'organisation';
      /** The link that was sent and has not been used; it opens nothing after its end */
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
      /** All that have not ended, and of those registered within 30 days those that have */
      requests: Record<Status, number>;
      registeredLastDay: number;
      generatedLastDay: number;
      /** false: there are more of something than the 100,000 up to which it is counted */
      isComplete: boolean;
      oldestUnfinishedAt: string | null;
      trend: {
        /** The last 24, the present one too */
        hours: Array<{
          from: string;
          registered: number;
        }>;
        /** The last 30, today too */
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
      /** Registries and liveness are answered in process, and a password alone opens a session */
      isSandbox: boolean;
      /** The last 20 found: proof of a check that cannot be shown until it is put back from a backup */
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
      /** A public key: a JWK, or PEM (BEGIN PUBLIC KEY). RSA of 2048 to 4096 bits, P-256 or Ed25519; at most three */
      key: string | Record<string, string | Array<string> | boolean>;
      reason?: string;
    };
    output:
      | {
          keyId: string;
          algorithm: 'RSA' | 'P-256' | 'Ed25519';
          /** Thumbprint of the key: RFC 7638, SHA-256, base64url */
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
          /** For certificates that are issued from now on. Programs on node-forge, invoice signers among them, open RSA alone */
          keyType: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
          scopes: Array<Scope>;
          /** Webhook bodies say their type themselves: `{"type","id","occurredAt","data"}`, with the code of an error */
          envelope: boolean;
          enabled: boolean;
          /** False: the partner gets tokens by its keys alone, and its client secret opens nothing */
          clientSecretEnabled: boolean;
          /** Requests that may be registered, by certificate type: in a calendar month, or over the days of a package, outside of which none are counted. null or absent: as many as come */
          quota: {
            TRADITIONAL_SIGNATURE?:
              | number
              | {
                  limit: number;
                  /** The first day, in the time zone of the service */
                  from: string;
                  /** The last day */
                  until: string;
                }
              | null;
            TRANSACTIONAL_SIGNATURE?:
              | number
              | {
                  limit: number;
                  /** The first day, in the time zone of the service */
                  from: string;
                  /** The last day */
                  until: string;
                }
              | null;
          };
          /** Further events that the partner is told of, beside those that everybody gets */
          events: Array<'certificate.expiring' | 'certificate.revoked'>;
          /** Types of certificates whose subscribers are reminded of the end by mail */
          holderReminders: Array<CertificateType>;
          /** Subscribers may renew by themselves, by the link of a reminder */
          holderRenewal: boolean;
          tokens: Array<{
            id: string;
            name: string;
            createdAt: string;
            expiresAt: string;
            revokedAt: string | null;
          }>;
          /** Newest first; those that were removed stay in the list */
          keys: Array<{
            id: string;
            algorithm: 'RSA' | 'P-256' | 'Ed25519';
            /** Thumbprint of the key: RFC 7638, SHA-256, base64url */
            thumbprint: string;
            createdAt: string;
            removedAt: string | null;
          }>;
          /** whpk_…: what `v1a` signatures are verified with, newest first; two during a rotation */
          webhookPublicKeys: Array<string>;
          /** That there is one; `partners.logo` gives it */
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
      /** Requests that may be registered, by certificate type: in a calendar month, or over the days of a package, outside of which none are counted. null or absent: as many as come */
      quota?: {
        TRADITIONAL_SIGNATURE?:
          | number
          | {
              limit: number;
              /** The first day, in the time zone of the service */
              from: string;
              /** The last day */
              until: string;
            }
          | null;
        TRANSACTIONAL_SIGNATURE?:
          | number
          | {
              limit: number;
              /** The first day, in the time zone of the service */
              from: string;
              /** The last day */
              until: string;
            }
          | null;
      };
      /** Further events that the partner is told of, beside those that everybody gets */
      events?: Array<'certificate.expiring' | 'certificate.revoked'>;
      /** Types of certificates whose subscribers are reminded of the end by mail */
      holderReminders?: Array<CertificateType>;
      /** Subscribers may renew by themselves, by the link of a reminder */
      holderRenewal?: boolean;
      /** What applicants see beside the name: PNG, JPEG or WebP, at most 48 KiB and 800 x 400 pixels, base64. null takes it away */
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
      /** For certificates that are issued from now on. Programs on node-forge, invoice signers among them, open RSA alone */
      keyType: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
      scopes: Array<Scope>;
      /** Webhook bodies say their type themselves: `{"type","id","occurredAt","data"}`, with the code of an error */
      envelope: boolean;
      enabled: boolean;
      /** False: the partner gets tokens by its keys alone, and its client secret opens nothing */
      clientSecretEnabled: boolean;
      /** Requests that may be registered, by certificate type: in a calendar month, or over the days of a package, outside of which none are counted. null or absent: as many as come */
      quota: {
        TRADITIONAL_SIGNATURE?:
          | number
          | {
              limit: number;
              /** The first day, in the time zone of the service */
              from: string;
              /** The last day */
              until: string;
            }
          | null;
        TRANSACTIONAL_SIGNATURE?:
          | number
          | {
              limit: number;
              /** The first day, in the time zone of the service */
              from: string;
              /** The last day */
              until: string;
            }
          | null;
      };
      /** Further events that the partner is told of, beside those that everybody gets */
      events: Array<'certificate.expiring' | 'certificate.revoked'>;
      /** Types of certificates whose subscribers are reminded of the end by mail */
      holderReminders: Array<CertificateType>;
      /** Subscribers may renew by themselves, by the link of a reminder */
      holderRenewal: boolean;
      tokens: Array<{
        id: string;
        name: string;
        createdAt: string;
        expiresAt: string;
        revokedAt: string | null;
      }>;
      /** Newest first; those that were removed stay in the list */
      keys: Array<{
        id: string;
        algorithm: 'RSA' | 'P-256' | 'Ed25519';
        /** Thumbprint of the key: RFC 7638, SHA-256, base64url */
        thumbprint: string;
        createdAt: string;
        removedAt: string | null;
      }>;
      /** whpk_…: what `v1a` signatures are verified with, newest first; two during a rotation */
      webhookPublicKeys: Array<string>;
      /** That there is one; `partners.logo` gives it */
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
      /** At most two years ahead */
      expiresAt: string;
      scopes?: Array<Scope>;
      reason?: string;
    };
    output:
      | {
          tokenId: string;
          /** rbk_…, shown once */
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
          /** For certificates that are issued from now on. Programs on node-forge, invoice signers among them, open RSA alone */
          keyType: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
          scopes: Array<Scope>;
          /** Webhook bodies say their type themselves: `{"type","id","occurredAt","data"}`, with the code of an error */
          envelope: boolean;
          enabled: boolean;
          /** False: the partner gets tokens by its keys alone, and its client secret opens nothing */
          clientSecretEnabled: boolean;
          /** Requests that may be registered, by certificate type: in a calendar month, or over the days of a package, outside of which none are counted. null or absent: as many as come */
          quota: {
            TRADITIONAL_SIGNATURE?:
              | number
              | {
                  limit: number;
                  /** The first day, in the time zone of the service */
                  from: string;
                  /** The last day */
                  until: string;
                }
              | null;
            TRANSACTIONAL_SIGNATURE?:
              | number
              | {
                  limit: number;
                  /** The first day, in the time zone of the service */
                  from: string;
                  /** The last day */
                  until: string;
                }
              | null;
          };
          /** Further events that the partner is told of, beside those that everybody gets */
          events: Array<'certificate.expiring' | 'certificate.revoked'>;
          /** Types of certificates whose subscribers are reminded of the end by mail */
          holderReminders: Array<CertificateType>;
          /** Subscribers may renew by themselves, by the link of a reminder */
          holderRenewal: boolean;
          tokens: Array<{
            id: string;
            name: string;
            createdAt: string;
            expiresAt: string;
            revokedAt: string | null;
          }>;
          /** Newest first; those that were removed stay in the list */
          keys: Array<{
            id: string;
            algorithm: 'RSA' | 'P-256' | 'Ed25519';
            /** Thumbprint of the key: RFC 7638, SHA-256, base64url */
            thumbprint: string;
            createdAt: string;
            removedAt: string | null;
          }>;
          /** whpk_…: what `v1a` signatures are verified with, newest first; two during a rotation */
          webhookPublicKeys: Array<string>;
          /** That there is one; `partners.logo` gives it */
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
        /** For certificates that are issued from now on. Programs on node-forge, invoice signers among them, open RSA alone */
        keyType: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
        scopes: Array<Scope>;
        /** Webhook bodies say their type themselves: `{"type","id","occurredAt","data"}`, with the code of an error */
        envelope: boolean;
        enabled: boolean;
        /** False: the partner gets tokens by its keys alone, and its client secret opens nothing */
        clientSecretEnabled: boolean;
        /** Requests that may be registered, by certificate type: in a calendar month, or over the days of a package, outside of which none are counted. null or absent: as many as come */
        quota: {
          TRADITIONAL_SIGNATURE?:
            | number
            | {
                limit: number;
                /** The first day, in the time zone of the service */
                from: string;
                /** The last day */
                until: string;
              }
            | null;
          TRANSACTIONAL_SIGNATURE?:
            | number
            | {
                limit: number;
                /** The first day, in the time zone of the service */
                from: string;
                /** The last day */
                until: string;
              }
            | null;
        };
        /** Further events that the partner is told of, beside those that everybody gets */
        events: Array<'certificate.expiring' | 'certificate.revoked'>;
        /** Types of certificates whose subscribers are reminded of the end by mail */
        holderReminders: Array<CertificateType>;
        /** Subscribers may renew by themselves, by the link of a reminder */
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
          /** For certificates that are issued from now on. Programs on node-forge, invoice signers among them, open RSA alone */
          keyType: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
          scopes: Array<Scope>;
          /** Webhook bodies say their type themselves: `{"type","id","occurredAt","data"}`, with the code of an error */
          envelope: boolean;
          enabled: boolean;
          /** False: the partner gets tokens by its keys alone, and its client secret opens nothing */
          clientSecretEnabled: boolean;
          /** Requests that may be registered, by certificate type: in a calendar month, or over the days of a package, outside of which none are counted. null or absent: as many as come */
          quota: {
            TRADITIONAL_SIGNATURE?:
              | number
              | {
                  limit: number;
                  /** The first day, in the time zone of the service */
                  from: string;
                  /** The last day */
                  until: string;
                }
              | null;
            TRANSACTIONAL_SIGNATURE?:
              | number
              | {
                  limit: number;
                  /** The first day, in the time zone of the service */
                  from: string;
                  /** The last day */
                  until: string;
                }
              | null;
          };
          /** Further events that the partner is told of, beside those that everybody gets */
          events: Array<'certificate.expiring' | 'certificate.revoked'>;
          /** Types of certificates whose subscribers are reminded of the end by mail */
          holderReminders: Array<CertificateType>;
          /** Subscribers may renew by themselves, by the link of a reminder */
          holderRenewal: boolean;
          tokens: Array<{
            id: string;
            name: string;
            createdAt: string;
            expiresAt: string;
            revokedAt: string | null;
          }>;
          /** Newest first; those that were removed stay in the list */
          keys: Array<{
            id: string;
            algorithm: 'RSA' | 'P-256' | 'Ed25519';
            /** Thumbprint of the key: RFC 7638, SHA-256, base64url */
            thumbprint: string;
            createdAt: string;
            removedAt: string | null;
          }>;
          /** whpk_…: what `v1a` signatures are verified with, newest first; two during a rotation */
          webhookPublicKeys: Array<string>;
          /** That there is one; `partners.logo` gives it */
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
          /** For certificates that are issued from now on. Programs on node-forge, invoice signers among them, open RSA alone */
          keyType: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
          scopes: Array<Scope>;
          /** Webhook bodies say their type themselves: `{"type","id","occurredAt","data"}`, with the code of an error */
          envelope: boolean;
          enabled: boolean;
          /** False: the partner gets tokens by its keys alone, and its client secret opens nothing */
          clientSecretEnabled: boolean;
          /** Requests that may be registered, by certificate type: in a calendar month, or over the days of a package, outside of which none are counted. null or absent: as many as come */
          quota: {
            TRADITIONAL_SIGNATURE?:
              | number
              | {
                  limit: number;
                  /** The first day, in the time zone of the service */
                  from: string;
                  /** The last day */
                  until: string;
                }
              | null;
            TRANSACTIONAL_SIGNATURE?:
              | number
              | {
                  limit: number;
                  /** The first day, in the time zone of the service */
                  from: string;
                  /** The last day */
                  until: string;
                }
              | null;
          };
          /** Further events that the partner is told of, beside those that everybody gets */
          events: Array<'certificate.expiring' | 'certificate.revoked'>;
          /** Types of certificates whose subscribers are reminded of the end by mail */
          holderReminders: Array<CertificateType>;
          /** Subscribers may renew by themselves, by the link of a reminder */
          holderRenewal: boolean;
          tokens: Array<{
            id: string;
            name: string;
            createdAt: string;
            expiresAt: string;
            revokedAt: string | null;
          }>;
          /** Newest first; those that were removed stay in the list */
          keys: Array<{
            id: string;
            algorithm: 'RSA' | 'P-256' | 'Ed25519';
            /** Thumbprint of the key: RFC 7638, SHA-256, base64url */
            thumbprint: string;
            createdAt: string;
            removedAt: string | null;
          }>;
          /** whpk_…: what `v1a` signatures are verified with, newest first; two during a rotation */
          webhookPublicKeys: Array<string>;
          /** That there is one; `partners.logo` gives it */
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
      /** What is replaced ends now: also the tokens that the client secret gave, and webhook secrets or keys of that kind that would sign for a week more */
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
          /** For certificates that are issued from now on. Programs on node-forge, invoice signers among them, open RSA alone */
          keyType: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
          scopes: Array<Scope>;
          /** Webhook bodies say their type themselves: `{"type","id","occurredAt","data"}`, with the code of an error */
          envelope: boolean;
          enabled: boolean;
          /** False: the partner gets tokens by its keys alone, and its client secret opens nothing */
          clientSecretEnabled: boolean;
          /** Requests that may be registered, by certificate type: in a calendar month, or over the days of a package, outside of which none are counted. null or absent: as many as come */
          quota: {
            TRADITIONAL_SIGNATURE?:
              | number
              | {
                  limit: number;
                  /** The first day, in the time zone of the service */
                  from: string;
                  /** The last day */
                  until: string;
                }
              | null;
            TRANSACTIONAL_SIGNATURE?:
              | number
              | {
                  limit: number;
                  /** The first day, in the time zone of the service */
                  from: string;
                  /** The last day */
                  until: string;
                }
              | null;
          };
          /** Further events that the partner is told of, beside those that everybody gets */
          events: Array<'certificate.expiring' | 'certificate.revoked'>;
          /** Types of certificates whose subscribers are reminded of the end by mail */
          holderReminders: Array<CertificateType>;
          /** Subscribers may renew by themselves, by the link of a reminder */
          holderRenewal: boolean;
          tokens: Array<{
            id: string;
            name: string;
            createdAt: string;
            expiresAt: string;
            revokedAt: string | null;
          }>;
          /** Newest first; those that were removed stay in the list */
          keys: Array<{
            id: string;
            algorithm: 'RSA' | 'P-256' | 'Ed25519';
            /** Thumbprint of the key: RFC 7638, SHA-256, base64url */
            thumbprint: string;
            createdAt: string;
            removedAt: string | null;
          }>;
          /** whpk_…: what `v1a` signatures are verified with, newest first; two during a rotation */
          webhookPublicKeys: Array<string>;
          /** That there is one; `partners.logo` gives it */
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
      /** For certificates that are issued from now on. Programs on node-forge, invoice signers among them, open RSA alone */
      keyType?: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
      scopes?: Array<Scope>;
      /** Webhook bodies say their type themselves: `{"type","id","occurredAt","data"}`, with the code of an error */
      envelope?: boolean;
      enabled?: boolean;
      /** False: the partner gets tokens by its keys alone, and its client secret opens nothing */
      clientSecretEnabled?: boolean;
      /** Further events that the partner is told of, beside those that everybody gets */
      events?: Array<'certificate.expiring' | 'certificate.revoked'>;
      /** Types of certificates whose subscribers are reminded of the end by mail */
      holderReminders?: Array<CertificateType>;
      /** Subscribers may renew by themselves, by the link of a reminder */
      holderRenewal?: boolean;
      /** Replaces the former as a whole */
      quota?: {
        TRADITIONAL_SIGNATURE?:
          | number
          | {
              limit: number;
              /** The first day, in the time zone of the service */
              from: string;
              /** The last day */
              until: string;
            }
          | null;
        TRANSACTIONAL_SIGNATURE?:
          | number
          | {
              limit: number;
              /** The first day, in the time zone of the service */
              from: string;
              /** The last day */
              until: string;
            }
          | null;
      };
      /** What applicants see beside the name: PNG, JPEG or WebP, at most 48 KiB and 800 x 400 pixels, base64. null takes it away */
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
      /** For certificates that are issued from now on. Programs on node-forge, invoice signers among them, open RSA alone */
      keyType: 'RSA-2048' | 'RSA-3072' | 'EC-P256';
      scopes: Array<Scope>;
      /** Webhook bodies say their type themselves: `{"type","id","occurredAt","data"}`, with the code of an error */
      envelope: boolean;
      enabled: boolean;
      /** False: the partner gets tokens by its keys alone, and its client secret opens nothing */
      clientSecretEnabled: boolean;
      /** Requests that may be registered, by certificate type: in a calendar month, or over the days of a package, outside of which none are counted. null or absent: as many as come */
      quota: {
        TRADITIONAL_SIGNATURE?:
          | number
          | {
              limit: number;
              /** The first day, in the time zone of the service */
              from: string;
              /** The last day */
              until: string;
            }
          | null;
        TRANSACTIONAL_SIGNATURE?:
          | number
          | {
              limit: number;
              /** The first day, in the time zone of the service */
              from: string;
              /** The last day */
              until: string;
            }
          | null;
      };
      /** Further events that the partner is told of, beside those that everybody gets */
      events: Array<'certificate.expiring' | 'certificate.revoked'>;
      /** Types of certificates whose subscribers are reminded of the end by mail */
      holderReminders: Array<CertificateType>;
      /** Subscribers may renew by themselves, by the link of a reminder */
      holderRenewal: boolean;
      tokens: Array<{
        id: string;
        name: string;
        createdAt: string;
        expiresAt: string;
        revokedAt: string | null;
      }>;
      /** Newest first; those that were removed stay in the list */
      keys: Array<{
        id: string;
        algorithm: 'RSA' | 'P-256' | 'Ed25519';
        /** Thumbprint of the key: RFC 7638, SHA-256, base64url */
        thumbprint: string;
        createdAt: string;
        removedAt: string | null;
      }>;
      /** whpk_…: what `v1a` signatures are verified with, newest first; two during a rotation */
      webhookPublicKeys: Array<string>;
      /** That there is one; `partners.logo` gives it */
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
      /** Of registration, `yyyy-MM` where the deployment is; this one unless given */
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
        /** Of all that were registered; what is missing to 1 is still open. null: none was */
        issuedShare: number | null;
        refusedShare: number | null;
        cancelledShare: number | null;
        expiredShare: number | null;
        /** From registration to certificate or refusal; null: none had either */
        outcomeP50Seconds: number | null;
        /** null: nothing to measure. Right to 3 % */
        outcomeP95Seconds: number | null;
        /** From registration to certificate; null: none was issued */
        certificateP50Seconds: number | null;
        /** null: nothing to measure. Right to 3 % */
        certificateP95Seconds: number | null;
        /** Events of the month for the partner’s addresses */
        webhooks: number;
        webhooksDelivered: number;
        /** Of all of them, delivered by the first attempt; null: none */
        webhooksAtFirstAttempt: number | null;
        /** From the event to its delivery */
        webhookP50Seconds: number | null;
        /** null: nothing to measure. Right to 3 % */
        webhookP95Seconds: number | null;
        /** Times that a request waited for a person, and the wait is over */
        reviews: number;
        /** null: nothing to measure. Right to 3 % */
        reviewP50Seconds: number | null;
        /** null: nothing to measure. Right to 3 % */
        reviewP95Seconds: number | null;
      }>;
      nextCursor: string | null;
      /** Nothing is older than this; null where nothing was counted yet */
      asOf: string | null;
      /** false: the notifier did not answer, and its figures are missing */
      hasWebhooks: boolean;
    };
  };
  /** Role viewer. */
  'reports.usage': {
    kind: 'query';
    input: {
      cursor?: string;
      limit?: number;
      /** Of registration, `yyyy-MM` where the deployment is; this one unless given */
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
      /** Nothing is older than this; null where nothing was counted yet */
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
      /** Masked for viewers, as in every text of every answer */
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
      /** Goes to the audit log, which is never erased: no personal data */
      reason: string;
    };
    output: {
      requests: Array<{
        requestId: string;
        /** Why nothing of it was erased */
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
      /** false: there are more requests; call again */
      isComplete: boolean;
      /** Services that have not confirmed yet; they are told again until they do */
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
      /** false: there are more requests than one answer takes */
      isComplete: boolean;
      /** Services that could not be asked for their part */
      unanswered: Array<ServiceName>;
    };
  };
  /** Role admin. */
  'requests.legalHold': {
    kind: 'mutation';
    input: {
      requestId: string;
      /** Goes to the audit log, which is never erased: no personal data */
      reason: string;
    };
    output: {
      requestId: string;
      legalHold: {
        since: string;
        reason: string;
      } | null;
      /** Services that have not confirmed yet; they are told again until they do */
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
      /** Goes to the audit log, which is never erased: no personal data */
      reason: string;
    };
    output: {
      requestId: string;
      legalHold: {
        since: string;
        reason: string;
      } | null;
      /** Services that have not confirmed yet; they are told again until they do */
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
      /** Masked for viewers, as in every text of every answer */
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
      /** For reviewers and administrators */
      identificationNumber?: string;
      referenceTransaction?: string;
      /** Each word begins a word of the applicant’s names; accents and case do not count */
      name?: string;
      /** For reviewers and administrators: the address or its beginning; case does not count */
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
        /** Masked for viewers, as in every text of every answer */
        identificationNumber: string;
        status: Status;
        validationStatus: ValidationStatus;
        createdDate: string;
        updatedDate: string;
        /** Of the applicant; null where it is not known, or not any more */
        name: string | null;
      }>;
      nextCursor: string | null;
      /** There where the look ended before the page was full: all that is newer was looked at, and `nextCursor` looks further back */
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
      /** Internal; goes to the audit log, which is never erased: no personal data */
      comment?: string;
      reason?: string;
      /** `shownSha256` of the `reviews.get` that was shown. REVIEW_CHANGED where the request is no longer so. Required from the next release on */
      shownSha256?: string;
    };
    output: {
      requestId: string;
      family: Family;
      partnerId: string;
      referenceTransaction: string;
      /** Masked for viewers, as in every text of every answer */
      identificationNumber: string;
      status: Status;
      validationStatus: ValidationStatus;
      createdDate: string;
      updatedDate: string;
      approvals: number;
      /** Fewer approvals than this: another operator has to approve too */
      approvalsNeeded: number;
    };
  };
  /** Role reviewer. */
  'reviews.assign': {
    kind: 'mutation';
    input: {
      requestId: string;
      /** Internal; goes to the audit log, which is never erased: no personal data */
      comment?: string;
      reason?: string;
      /** Absent: the caller takes it. null: nobody has it any more */
      operatorEmail?: string | null;
    };
    output: {
      requestId: string;
      family: Family;
      partnerId: string;
      referenceTransaction: string;
      /** Masked for viewers, as in every text of every answer */
      identificationNumber: string;
      status: Status;
      validationStatus: ValidationStatus;
      createdDate: string;
      updatedDate: string;
      /** As it was when the review began */
      reviewPolicy: 'manual' | 'four-eyes';
      reviewReason: 'POLICY' | 'REGISTRY';
      waitingSince: string;
      ageSeconds: number;
      /** The operator's e-mail */
      assignedTo: string | null;
      /** Of the present validation attempt, by operators who may decide now; others are void */
      approvals: number;
      approvalsNeeded: number;
      observations: Array<{
        type: 'ALERT' | 'WARNING' | 'INFO';
        code: string;
        message: string;
        /** Template and facts of `message`, for the gateway, which renders them */
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
      /** Internal; goes to the audit log, which is never erased: no personal data */
      comment?: string;
      reason?: string;
    };
    output: {
      /** For the caller alone, for five minutes; each opening is audited */
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
      /** Masked for viewers, as in every text of every answer */
      identificationNumber: string;
      status: Status;
      validationStatus: ValidationStatus;
      createdDate: string;
      updatedDate: string;
      /** As it was when the review began */
      reviewPolicy: 'manual' | 'four-eyes';
      reviewReason: 'POLICY' | 'REGISTRY';
      waitingSince: string;
      ageSeconds: number;
      /** The operator's e-mail */
      assignedTo: string | null;
      /** Of the present validation attempt, by operators who may decide now; others are void */
      approvals: number;
      approvalsNeeded: number;
      observations: Array<{
        type: 'ALERT' | 'WARNING' | 'INFO';
        code: string;
        message: string;
        /** Template and facts of `message`, for the gateway, which renders them */
        text?: {
          id: string;
          facts?: Record<string, unknown>;
        };
        createdDate: string;
      }>;
      /** null for viewers, and for reviewers once it no longer waits */
      applicant: {
        applicationType: 'NATURAL_PERSON' | 'LEGAL_REPRESENTATIVE';
        certificateType: CertificateType;
        period: Period;
        details: Record<string, string | boolean>;
      } | null;
      /** null where `applicant` is */
      evidence: Array<{
        evidenceId: string;
        /** The field of the body it came in */
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
        /** false: it was given before a correction, or by an operator who may not decide any more */
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
      /** Who has it open now, the caller too; the first who came first */
      openedBy: Array<{
        operatorId: string;
        /** The operator's e-mail */
        operator: string;
        since: string;
      }>;
      /** Digest of applicant, evidence, observations and attempt; decisions send it. null where `applicant` is */
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
      /** Who has it open now, the caller too; the first who came first */
      openedBy: Array<{
        operatorId: string;
        /** The operator's e-mail */
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
      /** Who has it open now, the caller too; the first who came first */
      openedBy: Array<{
        operatorId: string;
        /** The operator's e-mail */
        operator: string;
        since: string;
      }>;
      /** Call again before, as long as the page is open */
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
        /** Masked for viewers, as in every text of every answer */
        identificationNumber: string;
        status: Status;
        validationStatus: ValidationStatus;
        createdDate: string;
        updatedDate: string;
        /** As it was when the review began */
        reviewPolicy: 'manual' | 'four-eyes';
        reviewReason: 'POLICY' | 'REGISTRY';
        waitingSince: string;
        ageSeconds: number;
        /** The operator's e-mail */
        assignedTo: string | null;
        /** Of the present validation attempt, by operators who may decide now; others are void */
        approvals: number;
        approvalsNeeded: number;
        observations: Array<{
          type: 'ALERT' | 'WARNING' | 'INFO';
          code: string;
          message: string;
          /** Template and facts of `message`, for the gateway, which renders them */
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
      /** Internal; goes to the audit log, which is never erased: no personal data */
      comment?: string;
      reason?: string;
      /** `shownSha256` of the `reviews.get` that was shown. REVIEW_CHANGED where the request is no longer so. Required from the next release on */
      shownSha256?: string;
      /** Their texts are told to the partner */
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
      /** Masked for viewers, as in every text of every answer */
      identificationNumber: string;
      status: Status;
      validationStatus: ValidationStatus;
      createdDate: string;
      updatedDate: string;
      approvals: number;
      /** Fewer approvals than this: another operator has to approve too */
      approvalsNeeded: number;
    };
  };
  /** Role reviewer. */
  'reviews.requestCorrection': {
    kind: 'mutation';
    input: {
      requestId: string;
      /** Internal; goes to the audit log, which is never erased: no personal data */
      comment?: string;
      reason?: string;
      /** `shownSha256` of the `reviews.get` that was shown. REVIEW_CHANGED where the request is no longer so. Required from the next release on */
      shownSha256?: string;
      /** The first is the code of the error; the texts of all are told to the partner */
      codes: Array<
        | 'FINGER_CODE_MISMATCH'
        | 'NAME_MISMATCH'
        | 'DOCUMENT_ILLEGIBLE'
        | 'SELFIE_MISMATCH'
        | 'RUC_INVALID'
        | 'EVIDENCE_INVALID'
        | 'EVIDENCE_MISSING'
      >;
      /** What may be sent anew; absent: what the codes stand for */
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
      /** Masked for viewers, as in every text of every answer */
      identificationNumber: string;
      status: Status;
      validationStatus: ValidationStatus;
      createdDate: string;
      updatedDate: string;
      approvals: number;
      /** Fewer approvals than this: another operator has to approve too */
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

/** Of each procedure whether it changes anything, and the least role that may call it. */
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
