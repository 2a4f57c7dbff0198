import { applicant, type Call, call } from '../call.ts';
import {
  checkCodeInput,
  checkCodeOutput,
  claimInput,
  claimOutput,
  claimView,
  claimViewInput,
  openDownloadInput,
  openDownloadOutput,
  ownDataInput,
  ownDataOutput,
  reportInput,
  sendCodeInput,
  sendCodeOutput,
} from '../schemas/claims.ts';
import { openEvidenceInput, openedEvidence } from '../schemas/reviews.ts';

const fromGateway = { callers: ['gateway'] } as const;

/** What the gateway asks for whoever holds a link or a code. */
export const linkCalls = {
  'reviews.openEvidence': call({
    kind: 'mutation',
    about: 'one opening of a link to an evidence, audited before it is answered',
    ...fromGateway,
    actsFor: applicant,
    input: openEvidenceInput,
    output: openedEvidence,
  }),
  'claims.view': call({
    kind: 'query',
    about: 'what the applicant is shown behind a claim link',
    ...fromGateway,
    actsFor: applicant,
    input: claimViewInput,
    output: claimView,
  }),
  'claims.sendCode': call({
    kind: 'mutation',
    about: 'sends a code of six digits',
    ...fromGateway,
    actsFor: applicant,
    input: sendCodeInput,
    output: sendCodeOutput,
  }),
  'claims.ownData': call({
    kind: 'query',
    about: 'what is known of the applicant, to hold a password against',
    ...fromGateway,
    actsFor: applicant,
    input: ownDataInput,
    output: ownDataOutput,
  }),
  'claims.checkCode': call({
    kind: 'mutation',
    about: 'checks a code by itself, and gives for a right one what the claim takes in its place',
    ...fromGateway,
    actsFor: applicant,
    input: checkCodeInput,
    output: checkCodeOutput,
  }),
  'claims.claim': call({
    kind: 'mutation',
    about: 'claims the request, once',
    ...fromGateway,
    actsFor: applicant,
    input: claimInput,
    output: claimOutput,
    repeat: 'same-id',
  }),
  'claims.report': call({
    kind: 'mutation',
    about: 'the applicant did not ask for it, or finds its data wrong',
    ...fromGateway,
    actsFor: applicant,
    input: reportInput,
    output: claimView,
    repeat: 'idempotent',
  }),
  'claims.openDownload': call({
    kind: 'mutation',
    about: 'allows one download, for a fresh code or to the browser that claimed',
    ...fromGateway,
    actsFor: applicant,
    input: openDownloadInput,
    output: openDownloadOutput,
  }),
} as const satisfies Record<string, Call>;
