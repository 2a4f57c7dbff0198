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

/** The steps of the API flow. */
export const signatureCalls = {
  'signature.validateIdentity': call({
    kind: 'mutation',
    about: 'API flow: looks at the identity',
    ...fromGateway,
    actsFor: partner('collector:write'),
    input: validateIdentityInput,
    output: validateIdentityOutput,
    repeat: 'same-id',
  }),
  'signature.requestLiveness': call({
    kind: 'mutation',
    about: 'API flow: begins a proof of life, or names the one that is open',
    ...fromGateway,
    actsFor: partner('collector:write'),
    input: requestLivenessInput,
    output: requestLivenessOutput,
    repeat: 'idempotent',
  }),
  'signature.checkLiveness': call({
    kind: 'mutation',
    about: 'API flow: the outcome of a proof of life',
    ...fromGateway,
    actsFor: partner('collector:write'),
    input: checkLivenessInput,
    output: checkLivenessOutput,
    repeat: 'idempotent',
  }),
  'signature.issue': call({
    kind: 'mutation',
    about: 'API flow: starts the generation once, then says how far it is',
    ...fromGateway,
    actsFor: partner('collector:write'),
    input: issueInput,
    output: issueOutput,
    repeat: 'idempotent',
  }),
  'signature.livenessPage': call({
    kind: 'query',
    about: "what the sandbox's page of a proof of life shows",
    ...fromGateway,
    actsFor: applicant,
    input: livenessPageInput,
    output: livenessPage,
    repeat: 'idempotent',
  }),
  'signature.completeLiveness': call({
    kind: 'mutation',
    about: "the button of the sandbox's page",
    ...fromGateway,
    actsFor: applicant,
    input: livenessPageInput,
    output: livenessPage,
    repeat: 'idempotent',
  }),
} as const satisfies Record<string, Call>;
