import { type Call, call, service } from '../call.ts';
import {
  acceptInvitationInput,
  acceptInvitationOutput,
  readInvitationInput,
  readInvitationOutput,
} from '../schemas/invitations.ts';

/** Calls for operators with a link, mailed or printed by a break-glass command. */
export const invitationCalls = {
  'invitations.read': call({
    kind: 'mutation',
    about: 'account that the link is for; tries count like those of passwords',
    callers: ['gateway'],
    actsFor: service,
    input: readInvitationInput,
    output: readInvitationOutput,
  }),
  'invitations.accept': call({
    kind: 'mutation',
    about: 'sets the password of the invited operator and opens a session; uses up the link',
    callers: ['gateway'],
    actsFor: service,
    input: acceptInvitationInput,
    output: acceptInvitationOutput,
    bulkhead: 'passwords',
  }),
} as const satisfies Record<string, Call>;
