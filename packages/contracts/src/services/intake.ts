import type { Call } from './call.ts';
import { administratorCalls } from './intake/administrators.ts';
import { linkCalls } from './intake/claims.ts';
import { invitationCalls } from './intake/invitations.ts';
import { jobCalls } from './intake/jobs.ts';
import { renewalCalls } from './intake/renewals.ts';
import { requestCalls } from './intake/requests.ts';
import { revocationCalls } from './intake/revocations.ts';
import { signatureCalls } from './intake/signature.ts';
import { tokenCalls } from './intake/tokens.ts';

/** Calls that intake answers. */
export const intakeCalls = {
  ...requestCalls,
  ...signatureCalls,
  ...tokenCalls,
  ...invitationCalls,
  ...administratorCalls,
  ...jobCalls,
  ...linkCalls,
  ...renewalCalls,
  ...revocationCalls,
} as const satisfies Record<string, Call>;
