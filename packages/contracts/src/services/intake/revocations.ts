import { applicant, type Call, call } from '../call.ts';
import {
  revokeOwnInput,
  revokeOwnOutput,
  sendRevocationCodeInput,
  sendRevocationCodeOutput,
} from '../schemas/revocations.ts';

/** What the gateway asks for subscribers who revoke by themselves. */
export const revocationCalls = {
  'revocations.sendCode': call({
    kind: 'mutation',
    about: 'sends a code to the telephone on file, to revoke with',
    callers: ['gateway'],
    actsFor: applicant,
    input: sendRevocationCodeInput,
    output: sendRevocationCodeOutput,
  }),
  'revocations.revoke': call({
    kind: 'mutation',
    about: 'revokes a certificate for its subscriber, who has the code',
    callers: ['gateway'],
    actsFor: applicant,
    input: revokeOwnInput,
    output: revokeOwnOutput,
    timeoutMs: 10_000,
  }),
} as const satisfies Record<string, Call>;
