import type { intakeCalls } from '@rubrica/contracts/services/intake';
import type * as apiFlowContract from '@rubrica/contracts/services/schemas/api-flow';
import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import type { UseCase } from '@rubrica/wiring';
import { refuse } from './refuse.ts';

type Step = 'validateIdentity' | 'requestLiveness' | 'checkLiveness' | 'issue' | 'livenessPage';

/** One request of the API flow as intake would speak of it, and what was asked of it. */
export interface FakeSignature {
  readonly calls: { step: Step; input: unknown }[];
  /** Thrown by the next calls of a step, first one first. */
  readonly failures: { [S in Step]?: unknown[] };
  /** What the next issuances say; the last one stays. */
  statuses: apiFlowContract.SignatureIssuance['status'][];
  isPasswordOurs: boolean;
  page: apiFlowContract.LivenessPageState;
}

export const signatureId = '0197a000-0000-7000-8000-000000000222';
export const sessionId = 'Zm9vYmFyYmF6cXV4_Zm9vYmFyYmF6cXV';
const expiresAt = '2026-03-01T17:15:00.000Z';

export function createFakeSignature(): FakeSignature {
  return {
    calls: [],
    failures: {},
    statuses: ['GENERATED'],
    isPasswordOurs: true,
    page: 'READY',
  };
}

type SignatureCalls = Extract<keyof typeof intakeCalls, `signature.${string}`>;

export function signatureCalls(
  state: FakeSignature,
  keyring: Keyring,
): { readonly [Name in SignatureCalls]: UseCase<'intake', Name> } {
  const asked = (step: Step, input: unknown) => {
    state.calls.push({ step, input });
    const failure = state.failures[step]?.shift();
    if (failure !== undefined) throw failure;
  };
  const shown = async (input: { sealedSession: string }) => {
    asked('livenessPage', input);
    const binding = { purpose: 'liveness-page', owner: 'gateway' } as const;
    if ((await keyring.openText(input.sealedSession, binding)) !== sessionId)
      throw new AppError({ code: 'REQUEST_NOT_FOUND' });
    return { state: state.page, partnerName: 'Banco <de> Pruebas', expiresAt };
  };
  return {
    'signature.validateIdentity': (input) => {
      asked('validateIdentity', input);
      refuse(input.faults);
      return {
        requestId: input.requestId,
        result: 'APPROVED',
        nextStep: 'LIVENESS_REQUEST',
        attemptsRemaining: 3,
        failureReasons: [],
      };
    },
    'signature.requestLiveness': async (input) => {
      asked('requestLiveness', input);
      const sealedUrl = await keyring.sealTo('gateway', `https://liveness.example/${sessionId}`, {
        purpose: 'liveness-url',
        owner: input.requestId.toLowerCase(),
      });
      const binding = { purpose: 'liveness-session', owner: input.requestId.toLowerCase() } as const;
      const sealedSession = await keyring.sealTo('gateway', sessionId, binding);
      return { sealedSession, sealedUrl, expiresAt, attemptNumber: 2 };
    },
    'signature.checkLiveness': (input) => {
      asked('checkLiveness', input);
      return {
        status: 'FAILED',
        livenessConfidence: 99,
        faceMatchConfidence: 8,
        result: 'REJECTED',
        failureReasons: ['SELFIE_MISMATCH'],
        nextStep: 'LIVENESS_REQUEST',
      };
    },
    'signature.issue': (input) => {
      asked('issue', input);
      const [status = 'GENERATED'] = state.statuses;
      if (state.statuses.length > 1) state.statuses.shift();
      return {
        requestId: input.requestId,
        referenceTransaction: 'TX-1',
        status,
        validationStatus: 'COMPLETED',
        nextStep: status === 'GENERATED' ? 'NONE' : 'ISSUANCE',
        isPasswordOurs: state.isPasswordOurs,
        grant: status === 'GENERATED' ? input.requestId : null,
      };
    },
    'signature.livenessPage': shown,
    'signature.completeLiveness': (input) => {
      state.page = 'DONE';
      return shown(input);
    },
  };
}
