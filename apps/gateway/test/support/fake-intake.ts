import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import { fakeHandlers } from '@rubrica/testkit/fakes';
import { type CallContext, implement } from '@rubrica/wiring';
import { approvalUseCases } from './fake-approvals.ts';
import { auditUseCase } from './fake-audit.ts';
import { claimsCalls } from './fake-claims.ts';
import { listCalls } from './fake-lists.ts';
import { renewalsCalls } from './fake-renewals.ts';
import { reportUseCases } from './fake-reports.ts';
import { retrievalCalls } from './fake-retrieval.ts';
import { linkToEvidence, openEvidence } from './fake-reviews.ts';
import { signatureCalls } from './fake-signature.ts';
import { type FakeState, identifiedId, partner } from './fake-state.ts';
import { at } from './fake-time.ts';
import { tokenCalls } from './fake-tokens.ts';
import { overviewOf } from './overview.ts';
import { refuse } from './refuse.ts';

const changed = { referenceTransaction: 'TX-1', validationStatus: 'ERROR', updatedAt: at } as const;

/** Notes what was asked, by whom and under which request. */
export function note(state: FakeState, path: string, input: unknown, call: CallContext): void {
  const { caller, requestId, traceparent } = call;
  state.asked.push({ path, input, caller, requestId, traceparent });
}

/** Intake as far as the gateway calls it. */
export function fakeIntake(state: FakeState, keyring: Keyring) {
  const openBrowserValue = async ({ sealedBrowser }: { readonly sealedBrowser?: string | undefined }) =>
    sealedBrowser === undefined
      ? undefined
      : keyring.openText(sealedBrowser, { purpose: 'revocation-browser', owner: 'gateway' });
  return implement(
    'intake',
    fakeHandlers({
      calls: {
        'clock.read': () => ({ nowMs: Date.now() + state.intakeAheadMs }),
        ...claimsCalls(state.claim, keyring),
        ...renewalsCalls(state.claim, keyring),
        ...signatureCalls(state.signature, keyring),
        ...retrievalCalls(state.retrieval),
        ...tokenCalls(state, keyring),
        ...listCalls,
        'reviews.openEvidence': openEvidence(state.reviews, keyring),
        'requests.identify': (input) => {
          state.identified.push(input);
          return { requestId: identifiedId };
        },
        'requests.register': (input, { caller }) => {
          state.registered.push({ input, caller });
          const failure = state.registerFailures.shift();
          if (failure !== undefined) throw failure;
          refuse(input.faults);
          const errors = input.evidence?.errors ?? [];
          return {
            requestId: input.requestId,
            referenceTransaction: String(input.fields.referenceTransaction),
            status: errors.length > 0 ? 'ERROR' : 'REGISTERED',
            validationStatus: errors.length > 0 ? 'ERROR' : 'PENDING',
            createdAt: at,
            errors,
            ...(state.requestEnds === undefined ? {} : { expiresAt: state.requestEnds }),
          };
        },
        'requests.dryRun': (input) => {
          refuse(input.faults);
          return { warnings: [] };
        },
        'requests.usage': ({ month = '2026-11' }) => {
          const none = { TRADITIONAL_SIGNATURE: 0, TRANSACTIONAL_SIGNATURE: 0 };
          const nothing = { registered: 0, issued: 0, refused: 0, cancelled: 0, expired: 0 };
          return {
            month,
            quota: { TRADITIONAL_SIGNATURE: 100, TRANSACTIONAL_SIGNATURE: null },
            ...{ used: none, reserved: none, issued: none, revoked: none },
            byFamily: { TV: nothing, FR: nothing, FT: nothing, FS: nothing, API: nothing },
          };
        },
        'requests.retry': (input) => {
          state.retried.push(input);
          refuse(input.faults);
          const counts = { retryCount: 1, retriesRemaining: 1 };
          return { requestId: state.status.requestId, status: 'REGISTERED', ...counts, ...changed };
        },
        'requests.correct': (input) => {
          state.corrected.push(input);
          refuse(input.faults);
          return { ...state.status, status: 'REGISTERED', validationStatus: 'PENDING' };
        },
        'requests.cancel': (input) => {
          refuse(input.faults);
          return { requestId: state.status.requestId, status: 'CANCELLED', ...changed };
        },
        'requests.resendLink': (input) => {
          refuse(input.faults);
          if (state.resent) return state.resent;
          throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds: 42 });
        },
        'requests.status': (input) => {
          if (input.referenceTransaction === 'nobody') throw new AppError({ code: 'REQUEST_NOT_FOUND' });
          return state.status;
        },
        'revocations.sendCode': async (input, call) => {
          const browser = await openBrowserValue(input);
          note(state, 'revocations.sendCode', { ...input, browser }, call);
          return {};
        },
        'revocations.revoke': async (input, call) => {
          const code = await keyring.openText(input.sealedCode, {
            purpose: 'revocation-code',
            owner: 'gateway',
          });
          const browser = await openBrowserValue(input);
          note(state, 'revocations.revoke', { ...input, code, browser }, call);
          if (code !== '048213') throw new AppError({ code: 'OTP_INVALID' });
          if ('serialNumber' in input.target && input.target.serialNumber === 'EEEE')
            throw new AppError({ code: 'CERTIFICATE_ALREADY_REVOKED' });
          return { serialNumber: '4AB1', revokedAt: at };
        },
        'certificates.renew': (input, call) => {
          note(state, 'certificates.renew', input, call);
          refuse(input.faults);
          return {
            ...{
              requestId: input.requestId,
              referenceTransaction: input.newReferenceTransaction,
              createdAt: at,
            },
            ...{ status: 'REGISTERED', validationStatus: 'PENDING', errors: [], family: state.renewedFamily },
            renewalOf: { referenceTransaction: 'TX-1', serialNumber: '4AB1' },
          };
        },
        'certificates.renewDryRun': (input) => {
          refuse(input.faults);
          return { family: state.renewedFamily, warnings: [] };
        },
        'certificates.revoke': (input, call) => {
          note(state, 'certificates.revoke', input, call);
          if (input.serialNumber === 'FFFF') throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
          if (input.serialNumber === 'EEEE') throw new AppError({ code: 'CERTIFICATE_ALREADY_REVOKED' });
          return {
            serialNumber: '4AB1',
            notBefore: at,
            notAfter: at,
            status: 'REVOKED',
            revokedAt: at,
            revocationReason: input.reason,
            version: 2,
          };
        },
      },
      operators: {
        'auth.changePassword': (input, call) => {
          note(state, 'auth.changePassword', input, call);
          return { ended: 0 };
        },
        'audit.list': auditUseCase('intake'),
        ...approvalUseCases('intake'),
        'reviews.evidence': linkToEvidence(keyring),
        ...reportUseCases(state),
        overview: (input, call) => {
          note(state, 'overview', input, call);
          return overviewOf();
        },
        'partners.create': async (input, { caller: { operatorId: owner } }) => ({
          id: partner.partnerId,
          clientId: input.name,
          clientSecret: await keyring.sealTo('gateway', 'the client secret', {
            purpose: 'client-secret',
            owner,
          }),
          webhookSecret: await keyring.sealTo('gateway', 'whsec_abc', {
            purpose: 'shown-webhook-secret',
            owner,
          }),
        }),
      },
    }),
  );
}
