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

/** Calls that generation and notifier need for their jobs. */
export const jobCalls = {
  'partners.contact': call({
    kind: 'query',
    about: 'contact of a partner',
    ...fromNotifier,
    input: partnerInput,
    output: partnerContact,
  }),
  'partners.signing': call({
    kind: 'mutation',
    about: 'signing secrets for a ping to a partner, at the request of an operator',
    ...fromNotifier,
    input: partnerSigningInput,
    output: partnerSigning,
  }),
  'issuance.order': call({
    kind: 'query',
    about: 'everything needed to issue one certificate',
    callers: ['generation'],
    actsFor: service,
    input: issuanceOrderInput,
    output: issuanceOrder,
    travelsTogether: true,
  }),
  'events.get': call({
    kind: 'query',
    about: 'a webhook event with its destination, body and the secrets to sign its first attempt',
    ...fromNotifier,
    input: webhookEventInput,
    output: webhookEvent,
    travelsTogether: true,
  }),
  'events.signing': call({
    kind: 'mutation',
    about: 'secrets to sign one further attempt, while the event is open',
    ...fromNotifier,
    input: webhookEventInput,
    output: eventSigning,
  }),
  'events.reopen': call({
    kind: 'mutation',
    about: 'reopens events that an operator sends again',
    ...fromNotifier,
    input: reopenEventsInput,
    output: reopenedEvents,
    repeat: 'idempotent',
  }),
  'events.end': call({
    kind: 'mutation',
    about: 'ends events whose bodies the notifier has purged, and answers the grant to purge their bundles',
    ...fromNotifier,
    input: endEventsInput,
    output: endedEvents,
    repeat: 'idempotent',
  }),
  'messages.get': call({
    kind: 'query',
    about: 'an e-mail or SMS to send, with its link or code sealed to the notifier',
    ...fromNotifier,
    input: messageInput,
    output: outgoingMessage,
    travelsTogether: true,
  }),
} as const satisfies Record<string, Call>;
