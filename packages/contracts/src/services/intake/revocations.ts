import { applicant, type Call, call } from '../call.ts';
import {
  revokeOwnInput,
  revokeOwnOutput,
  sendRevocationCodeInput,
  sendRevocationCodeOutput,
} from '../schemas/revocations.ts';

/** Calls of the gateway for subscribers who revoke their own certificate. */
export const revocationCalls = {
  'revocations.sendCode': call({
    kind: 'mutation',
    about: 'sends a revocation code to the telephone on file',
    callers: ['gateway'],
    actsFor: applicant,
    input: sendRevocationCodeInput,
    output: sendRevocationCodeOutput,
  }),
  'revocations.revoke': call({
    kind: 'mutation',
    about: 'revokes a certificate for its subscriber, who has proven the code',
    callers: ['gateway'],
    actsFor: applicant,
    input: revokeOwnInput,
    output: revokeOwnOutput,
    timeoutMs: 10_000,
  }),
} as const satisfies Record<string, Call>;
