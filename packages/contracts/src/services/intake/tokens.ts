import { type Call, call, service } from '../call.ts';
import { clockInput, clockOutput } from '../schemas/clock.ts';
import {
  finishOpenIdInput,
  finishOpenIdOutput,
  startOpenIdInput,
  startOpenIdOutput,
} from '../schemas/openid.ts';
import {
  callTokenInput,
  callTokenOutput,
  exchangeTokenInput,
  exchangeTokenOutput,
  issueByAssertionInput,
  issueTokenInput,
  issueTokenOutput,
  refreshInput,
  refreshOutput,
  signInInput,
  signInOutput,
} from '../schemas/tokens.ts';

const fromGateway = { callers: ['gateway'] } as const;

/** Who gets an access token, and the time that the gateway judges tokens by. */
export const tokenCalls = {
  'clock.read': call({
    kind: 'query',
    about: 'what time it is, which the gateway judges tokens by',
    ...fromGateway,
    actsFor: service,
    input: clockInput,
    output: clockOutput,
    timeoutMs: 2_000,
  }),
  'tokens.issue': call({
    kind: 'mutation',
    about: 'an access token for a client id and its secret',
    ...fromGateway,
    actsFor: service,
    input: issueTokenInput,
    output: issueTokenOutput,
    repeat: 'idempotent',
  }),
  'tokens.exchange': call({
    kind: 'query',
    about: "an access token of a minute for an API token, or one of a partner's own OpenID issuer",
    ...fromGateway,
    actsFor: service,
    input: exchangeTokenInput,
    output: exchangeTokenOutput,
  }),
  'tokens.forCall': call({
    kind: 'query',
    about: 'a call token of 5 s, to call one other service for whoever has shown an access token',
    ...fromGateway,
    actsFor: service,
    input: callTokenInput,
    output: callTokenOutput,
    repeat: 'idempotent',
  }),
  'tokens.issueByAssertion': call({
    kind: 'mutation',
    about: 'an access token for who has signed an assertion (RFC 7523), which is used up by it',
    ...fromGateway,
    actsFor: service,
    input: issueByAssertionInput,
    output: issueTokenOutput,
  }),
  'tokens.signIn': call({
    kind: 'mutation',
    about: "a session for an operator's e-mail address and password",
    ...fromGateway,
    actsFor: service,
    input: signInInput,
    output: signInOutput,
  }),
  'tokens.refresh': call({
    kind: 'mutation',
    about: "new tokens of an operator's session for its refresh token, which is used up by it",
    ...fromGateway,
    actsFor: service,
    input: refreshInput,
    output: refreshOutput,
  }),
  'tokens.startOpenId': call({
    kind: 'query',
    about: "where an operator signs in at the organisation's OpenID provider",
    ...fromGateway,
    actsFor: service,
    input: startOpenIdInput,
    output: startOpenIdOutput,
  }),
  'tokens.finishOpenId': call({
    kind: 'mutation',
    about: 'a session for the operator whom that provider has sent back',
    ...fromGateway,
    actsFor: service,
    input: finishOpenIdInput,
    output: finishOpenIdOutput,
  }),
} as const satisfies Record<string, Call>;
