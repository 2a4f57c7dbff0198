import { anyPartner, type Call, call, partner } from '../call.ts';
import { certificateState } from '../schemas/generation.ts';
import {
  cancelInput,
  cancelOutput,
  correctInput,
  identifyOutput,
  registerInput,
  registerOutput,
  requestIdentifier,
  resendInput,
  resendOutput,
  retryInput,
  retryOutput,
  revokeCertificateInput,
  statusOutput,
} from '../schemas/requests.ts';
import { openRetrievalOutput, validationResultsOutput } from '../schemas/retrieval.ts';

const fromGateway = { callers: ['gateway'] } as const;

/** What the gateway asks for partners about their requests. */
export const requestCalls = {
  'requests.register': call({
    kind: 'mutation',
    about: 'registers a request of any family; the gateway has minted its id',
    ...fromGateway,
    actsFor: partner('collector:write'),
    input: registerInput,
    output: registerOutput,
    repeat: 'same-id',
  }),
  'requests.identify': call({
    kind: 'query',
    about: 'the id of a request that is named by reference, asked before something is sealed for it',
    ...fromGateway,
    actsFor: anyPartner,
    input: requestIdentifier,
    output: identifyOutput,
    repeat: 'idempotent',
  }),
  'requests.correct': call({
    kind: 'mutation',
    about: 'corrects a request of the regular family, or runs its failed step again',
    ...fromGateway,
    actsFor: partner('collector:write'),
    input: correctInput,
    output: statusOutput,
  }),
  'requests.retry': call({
    kind: 'mutation',
    about: "retries a linked partner's request in ERROR; a third retry refuses it",
    ...fromGateway,
    actsFor: partner('manager:write'),
    input: retryInput,
    output: retryOutput,
  }),
  'requests.cancel': call({
    kind: 'mutation',
    about: 'cancels a request',
    ...fromGateway,
    actsFor: partner('manager:write'),
    input: cancelInput,
    output: cancelOutput,
  }),
  'requests.resendLink': call({
    kind: 'mutation',
    about: 'sends the claim mail again; the earlier link dies',
    ...fromGateway,
    actsFor: partner('manager:write'),
    input: resendInput,
    output: resendOutput,
  }),
  'requests.status': call({
    kind: 'query',
    about: 'the status record',
    ...fromGateway,
    actsFor: partner('status:read'),
    input: requestIdentifier,
    output: statusOutput,
  }),
  'requests.validationResults': call({
    kind: 'query',
    about: 'what became of each check, for the transactional family',
    ...fromGateway,
    actsFor: partner('status:read'),
    input: requestIdentifier,
    output: validationResultsOutput,
  }),
  'requests.openRetrieval': call({
    kind: 'mutation',
    about: 'allows one retrieval of the file; the first starts its clock',
    ...fromGateway,
    actsFor: partner('status:read'),
    input: requestIdentifier,
    output: openRetrievalOutput,
    repeat: 'idempotent',
  }),
  'certificates.revoke': call({
    kind: 'mutation',
    about: "revokes a certificate of the partner's own",
    ...fromGateway,
    actsFor: partner('certificates:revoke'),
    input: revokeCertificateInput,
    output: certificateState,
  }),
} as const satisfies Record<string, Call>;
