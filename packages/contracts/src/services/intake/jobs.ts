import { type Call, call, service } from '../call.ts';
import { messageInput, outgoingMessage } from '../schemas/applicant-messages.ts';
import {
  endEventsInput,
  endedEvents,
  eventSigning,
  partnerContact,
  partnerInput,
  partnerSigning,
  partnerSigningInput,
  reopenEventsInput,
  reopenedEvents,
  webhookEvent,
  webhookEventInput,
} from '../schemas/events.ts';
import { issuanceOrder, issuanceOrderInput } from '../schemas/issuance.ts';

const fromNotifier = { callers: ['notifier'], actsFor: service } as const;

/** What generation and notifier ask to do their jobs. */
export const jobCalls = {
  'partners.contact': call({
    kind: 'query',
    about: "whom to tell of a partner's matters",
    ...fromNotifier,
    input: partnerInput,
    output: partnerContact,
  }),
  'partners.signing': call({
    kind: 'mutation',
    about: 'what a ping to a partner is signed with, for the operator who asks for it',
    ...fromNotifier,
    input: partnerSigningInput,
    output: partnerSigning,
  }),
  'issuance.order': call({
    kind: 'query',
    about: 'all that is needed to issue one certificate',
    callers: ['generation'],
    actsFor: service,
    input: issuanceOrderInput,
    output: issuanceOrder,
    travelsTogether: true,
  }),
  'events.get': call({
    kind: 'query',
    about: 'a webhook event: where to, what, and the secrets to sign its first attempt with',
    ...fromNotifier,
    input: webhookEventInput,
    output: webhookEvent,
    travelsTogether: true,
  }),
  'events.signing': call({
    kind: 'mutation',
    about: 'the secrets to sign one further attempt with, while the event is open',
    ...fromNotifier,
    input: webhookEventInput,
    output: eventSigning,
  }),
  'events.reopen': call({
    kind: 'mutation',
    about: 'events that an operator has sent again are open as on their first day',
    ...fromNotifier,
    input: reopenEventsInput,
    output: reopenedEvents,
    repeat: 'idempotent',
  }),
  'events.end': call({
    kind: 'mutation',
    about: 'events whose bodies the notifier has purged: with the grant to purge their bundles',
    ...fromNotifier,
    input: endEventsInput,
    output: endedEvents,
    repeat: 'idempotent',
  }),
  'messages.get': call({
    kind: 'query',
    about: 'an e-mail or SMS to write, with its link or code sealed to the notifier',
    ...fromNotifier,
    input: messageInput,
    output: outgoingMessage,
    travelsTogether: true,
  }),
} as const satisfies Record<string, Call>;
