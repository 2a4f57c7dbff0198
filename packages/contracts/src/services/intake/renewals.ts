import { applicant, type Call, call } from '../call.ts';
import {
  checkCodeInput,
  checkCodeOutput,
  claimOutput,
  claimView,
  claimViewInput,
  openDownloadInput,
  openDownloadOutput,
  ownDataInput,
  ownDataOutput,
  renewalContactInput,
  renewalContactOutput,
  renewByLinkInput,
  sendCodeInput,
  sendCodeOutput,
} from '../schemas/claims.ts';

const fromGateway = { callers: ['gateway'], actsFor: applicant } as const;

/**
 * Calls of the gateway for subscribers who renew by the link of a reminder. View, codes and tickets are those of a
 * claim. If the subscriber cannot renew without the partner, the call is refused with the code of the reason.
 */
export const renewalCalls = {
  'renewals.view': call({
    kind: 'query',
    about: "content of the page behind a reminder's link",
    ...fromGateway,
    input: claimViewInput,
    output: claimView,
  }),
  'renewals.contact': call({
    kind: 'query',
    about: 'contact for a link that has ended, or whose subscriber cannot renew without the partner',
    ...fromGateway,
    input: renewalContactInput,
    output: renewalContactOutput,
  }),
  'renewals.sendCode': call({
    kind: 'mutation',
    about: 'sends a six-digit code for a renewal or a download',
    ...fromGateway,
    input: sendCodeInput,
    output: sendCodeOutput,
    timeoutMs: 10_000,
  }),
  'renewals.ownData': call({
    kind: 'query',
    about: "the subscriber's data, to compare a password with",
    ...fromGateway,
    input: ownDataInput,
    output: ownDataOutput,
  }),
  'renewals.checkCode': call({
    kind: 'mutation',
    about: 'checks a code before the renewal and answers a ticket that the renewal accepts instead',
    ...fromGateway,
    input: checkCodeInput,
    output: checkCodeOutput,
  }),
  'renewals.renew': call({
    kind: 'mutation',
    about: 'renews a certificate for its subscriber, once',
    ...fromGateway,
    input: renewByLinkInput,
    output: claimOutput,
    timeoutMs: 10_000,
    repeat: 'same-id',
  }),
  'renewals.openDownload': call({
    kind: 'mutation',
    about: 'allows one download, for a fresh code or for the browser that renewed',
    ...fromGateway,
    input: openDownloadInput,
    output: openDownloadOutput,
  }),
} as const satisfies Record<string, Call>;
