import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { NextStep } from '@rubrica/contracts/rest/api-flow';
import type { Status, ValidationStatus } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';

export interface FlowProgress {
  readonly status: Status;
  readonly validationStatus: ValidationStatus;
  /** True if a proof of life was begun and has no outcome yet. */
  readonly hasOpenSession: boolean;
}

/** Determines the step that a request waits for. `NONE`: it has ended, or a person reviews it. */
export function determineNextStep({ status, validationStatus, hasOpenSession }: FlowProgress): NextStep {
  switch (status) {
    case 'REGISTERED':
      return 'IDENTITY_VALIDATION';
    case 'VALIDATING':
      if (validationStatus === 'MANUALLY_VALIDATING') return 'NONE';
      return hasOpenSession ? 'LIVENESS_CHECK' : 'LIVENESS_REQUEST';
    case 'APPROVED':
    case 'GENERATING':
      return 'ISSUANCE';
    default:
      return 'NONE';
  }
}

function describeState(progress: FlowProgress): ErrorText {
  const { status } = progress;
  const step = determineNextStep(progress);
  if (step !== 'NONE') return createText('request.nextStep', { status, step });
  return status === 'VALIDATING'
    ? createText('request.inReview', { status })
    : createText('request.noFurtherStep', { status });
}

/** Creates the error (409) for a step other than the due one. */
export function createStepNotDue(progress: FlowProgress): AppError {
  return new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: describeState(progress),
  });
}

/** Creates the error (409) for a call while another one runs. */
export function createStepInProgress(): AppError {
  return new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('request.stepInProgress'),
  });
}
