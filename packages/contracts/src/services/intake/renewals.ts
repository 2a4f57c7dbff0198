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
 * What the gateway asks for subscribers who renew by the link of a reminder. The view, codes and rights are those of a
 * claim; what the subscriber cannot renew alone is refused with the code that says why.
 */
export const renewalCalls = {
  'renewals.view': call({
    kind: 'query',
    about: "what the subscriber is shown behind a reminder's link",
    ...fromGateway,
    input: claimViewInput,
    output: claimView,
  }),
  'renewals.contact': call({
    kind: 'query',
    about: 'whom to ask about a link that is dead, or where its subscriber cannot renew alone',
    ...fromGateway,
    input: renewalContactInput,
    output: renewalContactOutput,
  }),
  'renewals.sendCode': call({
    kind: 'mutation',
    about: 'sends a code of six digits, to renew or to download with',
    ...fromGateway,
    input: sendCodeInput,
    output: sendCodeOutput,
    timeoutMs: 10_000,
  }),
  'renewals.ownData': call({
    kind: 'query',
    about: 'what is known of the subscriber, to hold a password against',
    ...fromGateway,
    input: ownDataInput,
    output: ownDataOutput,
  }),
  'renewals.checkCode': call({
    kind: 'mutation',
    about: 'checks a code by itself, and gives for a right one what the renewal takes in its place',
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
    about: 'allows one download, for a fresh code or to the browser that renewed',
    ...fromGateway,
    input: openDownloadInput,
    output: openDownloadOutput,
  }),
} as const satisfies Record<string, Call>;
