import { type Call, call, service } from '../call.ts';
import { administratorsInput, administratorsOutput } from '../schemas/administrators.ts';
import {
  approvalToConfirm,
  confirmApprovalInput,
  confirmApprovalOutput,
  passkeyOptionsOutput,
} from '../schemas/approval-grants.ts';

/** What the services that keep changes of administrators ask. */
export const administratorCalls = {
  'administrators.standing': call({
    kind: 'query',
    about: 'whether they may decide on a change now, asked by the service that keeps the change',
    callers: ['generation', 'terms'],
    actsFor: service,
    input: administratorsInput,
    output: administratorsOutput,
    timeoutMs: 2_000,
  }),
  'administrators.passkeyOptions': call({
    kind: 'mutation',
    about: 'what a passkey of who approves a change has to sign; nothing where there is none',
    callers: ['generation', 'terms'],
    actsFor: service,
    input: approvalToConfirm,
    output: passkeyOptionsOutput,
    timeoutMs: 2_000,
  }),
  'administrators.confirmApproval': call({
    kind: 'mutation',
    about: 'a signed word that who approves a change has confirmed it, by a passkey where there is one',
    callers: ['generation', 'terms'],
    actsFor: service,
    input: confirmApprovalInput,
    output: confirmApprovalOutput,
    timeoutMs: 2_000,
  }),
} as const satisfies Record<string, Call>;
