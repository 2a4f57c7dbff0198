import type { ErrorCode, OperationId, Operations } from './api.ts';

/**
 * Permission to repeat a call whose outcome is unknown: the connection broke, no answer came in time, or a 5xx came. (A
 * 429, and a connection that was never established, may always be repeated: nothing was done.)
 *
 * - `safe`: it changes nothing, or the second time changes nothing more.
 * - `by-reference`: a second registration under the same `referenceTransaction` is refused as a duplicate, which proves
 * that the first one was accepted; `ask` returns its record, `id` is its identifier there.
 * - `by-state`: the second time is refused with `conflict`, because the wanted state is already reached; `ask` finds
 * out whether the status is `reached`, or it is `known` without asking.
 * - `never`: each call counts. The error has `outcomeUnknown`.
 * - `by-line`: the unanswered lines of a batch are sent again, each `by-reference`.
 */
export type Repeat =
  | { readonly repeat: 'safe' | 'never' }
  | { readonly repeat: 'by-reference' | 'by-line'; readonly ask: OperationId; readonly id: string }
  | {
      readonly repeat: 'by-state';
      readonly conflict: ErrorCode;
      readonly ask: OperationId;
      readonly reached: string;
    }
  | { readonly repeat: 'by-state'; readonly conflict: ErrorCode; readonly known: object };

export type CallRow = Repeat & {
  readonly operation: OperationId;
  /** Polls until the request has reached a state. */
  readonly waits?: true;
};

const safe = { repeat: 'safe' } as const;
const never = { repeat: 'never' } as const;
const waits = { repeat: 'safe', waits: true } as const;

/** All methods of the client. */
export const calls = {
  linkedPartner: {
    register: {
      operation: 'registerLinkedPartner',
      repeat: 'by-reference',
      ask: 'linkedPartnerStatus',
      id: 'linkedPartnerRequestId',
    },
    dryRun: { operation: 'registerLinkedPartnerDryRun', ...safe },
    registerMany: {
      operation: 'registerLinkedPartnerBatch',
      repeat: 'by-line',
      ask: 'linkedPartnerStatus',
      id: 'linkedPartnerRequestId',
    },
    // Each one counts, and the third refuses the request.
    retry: { operation: 'retryLinkedPartner', ...never },
    cancel: {
      operation: 'cancelLinkedPartner',
      repeat: 'by-state',
      conflict: 'REQUEST_STATE_NOT_ALLOWED',
      ask: 'linkedPartnerStatus',
      reached: 'CANCELLED',
    },
    // Each one invalidates the previous link, and there are five.
    resendValidationLink: { operation: 'resendValidationLink', ...never },
    status: { operation: 'linkedPartnerStatus', ...safe },
    waitForStatus: { operation: 'linkedPartnerStatus', ...waits },
  },
  regular: {
    register: {
      operation: 'registerRegular',
      repeat: 'by-reference',
      ask: 'regularStatus',
      id: 'requestId',
    },
    dryRun: { operation: 'registerRegularDryRun', ...safe },
    // Once accepted it may have failed again for a new reason, which a second call would overwrite.
    correct: { operation: 'correctRegular', ...never },
    status: { operation: 'regularStatus', ...safe },
    waitForStatus: { operation: 'regularStatus', ...waits },
  },
  transactional: {
    register: {
      operation: 'registerTransactional',
      repeat: 'by-reference',
      ask: 'transactionalValidationStatus',
      id: 'transactionalRequestId',
    },
    dryRun: { operation: 'registerTransactionalDryRun', ...safe },
    validationStatus: { operation: 'transactionalValidationStatus', ...safe },
    waitForStatus: { operation: 'transactionalValidationStatus', ...waits },
    certificate: { operation: 'transactionalCertificate', ...safe },
  },
  simplified: {
    register: {
      operation: 'registerSimplified',
      repeat: 'by-reference',
      ask: 'simplifiedStatus',
      id: 'simplifiedRequestId',
    },
    dryRun: { operation: 'registerSimplifiedDryRun', ...safe },
    status: { operation: 'simplifiedStatus', ...safe },
    waitForStatus: { operation: 'simplifiedStatus', ...waits },
    cancel: {
      operation: 'cancelSimplified',
      repeat: 'by-state',
      conflict: 'REQUEST_STATE_NOT_ALLOWED',
      ask: 'simplifiedStatus',
      reached: 'CANCELLED',
    },
  },
  signature: {
    request: {
      operation: 'requestSignature',
      repeat: 'by-reference',
      ask: 'signatureRequestStatus',
      id: 'signatureRequestId',
    },
    // Attempts are counted.
    validateIdentity: { operation: 'validateIdentity', ...never },
    // An open session is answered again, and an outcome never changes.
    requestLiveness: { operation: 'requestLiveness', ...safe },
    checkLiveness: { operation: 'checkLiveness', ...safe },
    issue: { operation: 'issueSignature', ...safe },
    status: { operation: 'signatureRequestStatus', ...safe },
    waitForStatus: { operation: 'signatureRequestStatus', ...waits },
  },
  certificates: {
    revoke: {
      operation: 'revokeCertificate',
      repeat: 'by-state',
      conflict: 'CERTIFICATE_ALREADY_REVOKED',
      known: { status: 'REVOKED' },
    },
    // A second one is refused; which status reports it depends on the family.
    renew: { operation: 'renewCertificate', ...never },
    dryRunRenewal: { operation: 'renewCertificateDryRun', ...safe },
    list: { operation: 'listCertificates', ...safe },
  },
  requests: { list: { operation: 'listRequests', ...safe } },
  events: {
    list: { operation: 'listEvents', ...safe },
    get: { operation: 'readEvent', ...safe },
    // An event that is sent twice arrives under the same id.
    resend: { operation: 'resendEvent', ...safe },
    // Events that the first call sent again are no longer failed, and the second call does not count them.
    recover: { operation: 'recoverEvents', ...never },
    test: { operation: 'testEvent', ...never },
  },
  // Days add up, so a second call would advance the clock again.
  sandbox: { advance: { operation: 'advanceClock', ...never } },
  usage: { ofMonth: { operation: 'usage', ...safe } },
  terms: { active: { operation: 'activeTerms', ...safe } },
  reference: {
    provinces: { operation: 'listProvinces', ...safe },
    cities: { operation: 'listCities', ...safe },
    periods: { operation: 'listPeriods', ...safe },
    states: { operation: 'listStates', ...safe },
    types: { operation: 'listTypes', ...safe },
    evidenceTypes: { operation: 'listEvidenceTypes', ...safe },
    validationErrorCodes: { operation: 'listValidationErrorCodes', ...safe },
  },
} as const satisfies Record<string, Record<string, CallRow>>;

export type Calls = typeof calls;

/** Result from another source: the call had been carried out although its own answer was lost. */
export type Recovered<Answer> = Answer & { readonly recovered: true };
type Direct<Answer> = Answer & { readonly recovered: false };

/** Result of a method. */
export type MethodResult<Row extends CallRow> = Row extends { ask: infer Ask extends OperationId }
  ? Direct<Operations[Row['operation']]['output']> | Recovered<Operations[Ask]['output']>
  : Row extends { known: infer Known }
    ? Direct<Operations[Row['operation']]['output']> | Recovered<Readonly<Known>>
    : Operations[Row['operation']]['output'];
