import { type Call, call, service } from '../call.ts';
import { administratorsInput, administratorsOutput } from '../schemas/administrators.ts';
import {
  approvalToConfirm,
  confirmApprovalInput,
  confirmApprovalOutput,
  passkeyOptionsOutput,
} from '../schemas/approval-grants.ts';

/** Calls of the services that store changes by administrators. */
export const administratorCalls = {
  'administrators.standing': call({
    kind: 'query',
    about: 'whether administrators may decide on a change now, for the service that stores the change',
    callers: ['generation', 'terms'],
    actsFor: service,
    input: administratorsInput,
    output: administratorsOutput,
    timeoutMs: 2_000,
  }),
  'administrators.passkeyOptions': call({
    kind: 'mutation',
    about: "challenge for the approver's passkey; nothing if there is no passkey",
    callers: ['generation', 'terms'],
    actsFor: service,
    input: approvalToConfirm,
    output: passkeyOptionsOutput,
    timeoutMs: 2_000,
  }),
  'administrators.confirmApproval': call({
    kind: 'mutation',
    about: 'signed statement that the approver has confirmed a change, by a passkey if there is one',
    callers: ['generation', 'terms'],
    actsFor: service,
    input: confirmApprovalInput,
    output: confirmApprovalOutput,
    timeoutMs: 2_000,
  }),
} as const satisfies Record<string, Call>;
