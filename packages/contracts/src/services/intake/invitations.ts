import { type Call, call, service } from '../call.ts';
import {
  acceptInvitationInput,
  acceptInvitationOutput,
  readInvitationInput,
  readInvitationOutput,
} from '../schemas/invitations.ts';

/** What an operator does by a link that was mailed, or that a break-glass command has printed. */
export const invitationCalls = {
  'invitations.read': call({
    kind: 'mutation',
    about: 'whom the link is for; tries are counted as those of passwords are',
    callers: ['gateway'],
    actsFor: service,
    input: readInvitationInput,
    output: readInvitationOutput,
  }),
  'invitations.accept': call({
    kind: 'mutation',
    about: 'sets the password of who was invited, and opens a session; the link is used up by it',
    callers: ['gateway'],
    actsFor: service,
    input: acceptInvitationInput,
    output: acceptInvitationOutput,
    bulkhead: 'passwords',
  }),
} as const satisfies Record<string, Call>;
