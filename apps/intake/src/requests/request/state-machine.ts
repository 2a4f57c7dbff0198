import type { WebhookEventType } from '@rubrica/contracts/rest/webhooks';
import type { Status, ValidationStatus } from '@rubrica/contracts/shared/enumerations';

/** Side effect of a transition; every effect is a row of the same transaction. */
export type Effect =
  | 'start-validation'
  | 'start-generation'
  | 'send-claim-mail'
  | 'destroy-secrets'
  | `tell-partner:${WebhookEventType}`;

export interface Transition<Effects extends readonly Effect[] = readonly Effect[]> {
  /** States from which it may start; none if it creates the request. */
  readonly from: readonly Status[];
  readonly to: Status;
  /** `unchanged` keeps the result of the validation. */
  readonly validation: ValidationStatus | 'unchanged';
  readonly effects: Effects;
}

/**
 * Builds a row. The effects stay in the type: a statement that carries out some by hand does not compile if
 * its row has others.
 */
function row<Effects extends Effect[]>(
  from: readonly Status[],
  to: Status,
  validation: Transition['validation'],
  ...effects: Effects
): Transition<Effects> {
  return { from, to, validation, effects };
}

/**
 * State machine of a request, one row per trigger. A change that is not here is impossible. Every update of
 * the state is built from a row and names the states of `from` in its WHERE clause.
 */
export const transitions = {
  register: row([], 'REGISTERED', 'PENDING', 'start-validation'),
  registerWithErrors: row([], 'ERROR', 'ERROR', 'tell-partner:request.error'),
  startValidation: row(['REGISTERED', 'VALIDATING'], 'VALIDATING', 'AUTOMATICALLY_VALIDATING'),
  askForReview: row(['VALIDATING'], 'VALIDATING', 'MANUALLY_VALIDATING'),
  failValidation: row(['VALIDATING'], 'ERROR', 'ERROR', 'tell-partner:request.error'),
  refuse: row(['VALIDATING'], 'REFUSED', 'REFUSED', 'destroy-secrets', 'tell-partner:request.refused'),
  approve: row(['VALIDATING'], 'APPROVED', 'COMPLETED', 'send-claim-mail'),
  passToGeneration: row(['VALIDATING'], 'GENERATING', 'COMPLETED', 'start-generation'),
  claim: row(['APPROVED'], 'GENERATING', 'COMPLETED', 'start-generation'),
  /** The applicant says that they did not request the certificate. */
  dispute: row(['APPROVED'], 'REFUSED', 'REFUSED', 'destroy-secrets', 'tell-partner:request.refused'),
  reportWrongData: row(['APPROVED'], 'ERROR', 'ERROR', 'tell-partner:request.error'),
  issue: row(['GENERATING'], 'GENERATED', 'unchanged', 'tell-partner:certificate.issued'),
  failGeneration: row(['GENERATING'], 'ERROR', 'COMPLETED', 'tell-partner:request.error'),
  retryRegistration: row(['ERROR'], 'REGISTERED', 'PENDING', 'start-validation'),
  retryValidation: row(['ERROR'], 'VALIDATING', 'AUTOMATICALLY_VALIDATING', 'start-validation'),
  retryGeneration: row(['ERROR'], 'GENERATING', 'COMPLETED', 'start-generation'),
  exceedRetries: row(['ERROR'], 'REFUSED', 'unchanged', 'destroy-secrets', 'tell-partner:request.refused'),
  /** Used after an upgrade, if nothing proves the decision of the previous release. */
  validateAgain: row(['VALIDATING', 'APPROVED', 'GENERATING'], 'REGISTERED', 'PENDING', 'start-validation'),
  cancel: row(['REGISTERED', 'VALIDATING', 'ERROR', 'APPROVED'], 'CANCELLED', 'unchanged', 'destroy-secrets'),
  expire: row(['ERROR', 'APPROVED'], 'EXPIRED', 'unchanged', 'destroy-secrets'),
  // Rows of a family whose partner takes the request from step to step: none of them starts anything.
  registerStepwise: row([], 'REGISTERED', 'PENDING'),
  passIdentity: row(['REGISTERED'], 'VALIDATING', 'AUTOMATICALLY_VALIDATING'),
  passSteps: row(['VALIDATING'], 'APPROVED', 'COMPLETED'),
  issueStepwise: row(['APPROVED'], 'GENERATING', 'COMPLETED', 'start-generation'),
  /** Used for a final fault, or the last attempt of a step. */
  refuseStep: row(
    ['REGISTERED', 'VALIDATING'],
    'REFUSED',
    'REFUSED',
    'destroy-secrets',
    'tell-partner:request.refused',
  ),
  expireSteps: row(
    ['REGISTERED', 'VALIDATING', 'ERROR', 'APPROVED'],
    'EXPIRED',
    'unchanged',
    'destroy-secrets',
  ),
} as const satisfies Record<string, Transition>;

export type Trigger = keyof typeof transitions;

export function isTerminal(status: Status): boolean {
  return status === 'GENERATED' || status === 'REFUSED' || status === 'CANCELLED' || status === 'EXPIRED';
}

export function canApply(trigger: Trigger, status: Status): boolean {
  return (transitions[trigger].from as readonly Status[]).includes(status);
}

/** Returns both states after `trigger`, from the request's current validation status. */
export function applyTrigger(
  trigger: Trigger,
  validationStatus: ValidationStatus,
): { status: Status; validationStatus: ValidationStatus } {
  const { to, validation } = transitions[trigger];
  return { status: to, validationStatus: validation === 'unchanged' ? validationStatus : validation };
}

/** Steps that can fail; the failed one decides where a retry starts again. */
const failedSteps = ['registration', 'validation', 'generation'] as const;
export type FailedStep = (typeof failedSteps)[number];

export const maxRequestRetries = 2;

const retryTriggers = {
  registration: 'retryRegistration',
  validation: 'retryValidation',
  generation: 'retryGeneration',
} as const satisfies Record<FailedStep, Trigger>;

/**
 * Chooses the trigger of a retry. The third retry is the refusal, whatever was sent; corrected identity data
 * void the approval and start again from the beginning.
 */
export function chooseRetryTrigger(options: {
  retryCount: number;
  failedStep: FailedStep;
  voidsApproval: boolean;
}): Trigger {
  if (options.retryCount >= maxRequestRetries) return 'exceedRetries';
  return options.voidsApproval ? 'retryRegistration' : retryTriggers[options.failedStep];
}
