import { applicant, type Call, call, partner } from '../call.ts';
import {
  checkLivenessInput,
  checkLivenessOutput,
  issueInput,
  issueOutput,
  livenessPage,
  livenessPageInput,
  requestLivenessInput,
  requestLivenessOutput,
  validateIdentityInput,
  validateIdentityOutput,
} from '../schemas/api-flow.ts';

const fromGateway = { callers: ['gateway'] } as const;

/** Steps of the API flow. */
export const signatureCalls = {
  'signature.validateIdentity': call({
    kind: 'mutation',
    about: 'API flow: validates the identity',
    ...fromGateway,
    actsFor: partner('collector:write'),
    input: validateIdentityInput,
    output: validateIdentityOutput,
    repeat: 'same-id',
  }),
  'signature.requestLiveness': call({
    kind: 'mutation',
    about: 'API flow: starts a proof of life, or answers the open one',
    ...fromGateway,
    actsFor: partner('collector:write'),
    input: requestLivenessInput,
    output: requestLivenessOutput,
    repeat: 'idempotent',
  }),
  'signature.checkLiveness': call({
    kind: 'mutation',
    about: 'API flow: outcome of a proof of life',
    ...fromGateway,
    actsFor: partner('collector:write'),
    input: checkLivenessInput,
    output: checkLivenessOutput,
    repeat: 'idempotent',
  }),
  'signature.issue': call({
    kind: 'mutation',
    about: 'API flow: starts the generation once, then answers its progress',
    ...fromGateway,
    actsFor: partner('collector:write'),
    input: issueInput,
    output: issueOutput,
    repeat: 'idempotent',
  }),
  'signature.livenessPage': call({
    kind: 'query',
    about: "content of the sandbox's proof-of-life page",
    ...fromGateway,
    actsFor: applicant,
    input: livenessPageInput,
    output: livenessPage,
    repeat: 'idempotent',
  }),
  'signature.completeLiveness': call({
    kind: 'mutation',
    about: "completes the proof of life on the sandbox's page",
    ...fromGateway,
    actsFor: applicant,
    input: livenessPageInput,
    output: livenessPage,
    repeat: 'idempotent',
  }),
} as const satisfies Record<string, Call>;
