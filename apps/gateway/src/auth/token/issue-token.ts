import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import { tokenRequestSchema } from '@rubrica/contracts/rest/oauth';
import * as tokensContract from '@rubrica/contracts/services/schemas/tokens';
import { type AppError, toAppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import { newTokenBinding } from '@rubrica/process/tokens';
import { createOperationBodyPlan } from '../../body/body.ts';
import type { ReadForm } from '../../body/read-form-body.ts';
import type { GatewayConfig } from '../../config.ts';
import { parseFields } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import type { Peers } from '../../peers/peers.ts';
import { type ClientCredentials, createUnknownClient, readClientCredentials } from './client-credentials.ts';
import { OAuthFault } from './oauth-fault.ts';

export interface IssueTokenDeps {
  readonly peers: Peers;
  readonly readForm: ReadForm;
  readonly keyring: Pick<Keyring, 'sealTo' | 'openText'>;
  readonly limits: GatewayConfig['limits'];
}

/** Creates the handler of OAuth 2.0 client credentials (RFC 6749 §4.4). */
export function createIssueToken(deps: IssueTokenDeps): Handler {
  const plan = createOperationBodyPlan('token', deps.limits);
  return async (request, reply) => {
    const form = parseForm(await deps.readForm(request, plan));
    const credentials = readClientCredentials(request.headers.authorization, form);
    const { sealedProof, answer } = await requestToken(credentials, form.scope, deps);
    const { sealedAccessToken, expiresInSeconds, scopes } = answer;
    const accessToken = await deps.keyring.openText(sealedAccessToken, newTokenBinding(sealedProof));
    reply.header('pragma', 'no-cache');
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: expiresInSeconds,
      scope: scopes.join(' '),
    };
  };
}

const { grant_type: _grantType, ...otherShape } = tokenRequestSchema.shape;

function parseForm(fields: Readonly<Record<string, unknown>>) {
  const { grant_type: grantType } = fields;
  if (typeof grantType !== 'string' || grantType === '') {
    throw new OAuthFault('invalid_request', {
      code: grantType === undefined || grantType === '' ? 'FIELD_REQUIRED' : 'FIELD_INVALID',
      text: createFieldText('grant_type', createText('field.grantTypeRequired')),
    });
  }
  if (grantType !== 'client_credentials') {
    throw new OAuthFault('unsupported_grant_type', {
      code: 'FIELD_INVALID',
      text: createFieldText('grant_type', createText('field.clientCredentials')),
    });
  }
  const { values, faults } = parseFields(otherShape, fields);
  const [fault] = faults;
  if (fault !== undefined) {
    throw new OAuthFault('invalid_request', { code: fault.code, text: fault.text });
  }
  return values;
}

const { shape } = tokensContract.issueTokenInput;

/** Requests a token from intake. Secret or assertion cross sealed: only intake can verify them and sign a token. */
async function requestToken(
  credentials: ClientCredentials,
  scope: string | undefined,
  { peers, keyring }: Pick<IssueTokenDeps, 'peers' | 'keyring'>,
) {
  const { clientId: owner } = credentials;
  // Intake would refuse the form of such an id; for the client it is an unknown one.
  if (!shape.clientId.safeParse(owner).success) throw createUnknownClient(clientRefused);
  const client = { clientId: owner, ...parseScopes(scope) };
  if ('assertion' in credentials) {
    const binding = { purpose: 'client-assertion', owner } as const;
    const sealedAssertion = await keyring.sealTo('intake', credentials.assertion, binding);
    const answer = peers.intake['tokens.issueByAssertion']({ ...client, sealedAssertion });
    const tokenAnswer = await withOAuthFaults(answer, toAssertionRefusal);
    return { sealedProof: sealedAssertion, answer: tokenAnswer };
  }
  const binding = { purpose: 'entered-client-secret', owner } as const;
  const sealedSecret = await keyring.sealTo('intake', credentials.clientSecret, binding);
  const tokenAnswer = await withOAuthFaults(
    peers.intake['tokens.issue']({ ...client, sealedSecret }),
    (fault) => createUnknownClient(clientRefused, fault),
  );
  return { sealedProof: sealedSecret, answer: tokenAnswer };
}

function parseScopes(scope: string | undefined): { scopes?: string[] } {
  return scope === undefined ? {} : { scopes: [...new Set(scope.split(/ +/))] };
}

const clientRefused = createText('access.clientRefused');

/** Converts intake's refusal of an assertion for the client. */
function toAssertionRefusal(fault: AppError): OAuthFault {
  const { code, text, publicMessage } = fault;
  return new OAuthFault('invalid_client', { code, text, publicMessage, cause: fault });
}

/** Converts intake's refusals to OAuth error codes (RFC 6749 §5.2). */
async function withOAuthFaults<Answer>(
  answer: Promise<Answer>,
  toRefusal: (fault: AppError) => OAuthFault,
): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    const fault = toAppError(error);
    const { code, text, publicMessage } = fault;
    if (code === 'UNAUTHENTICATED') throw toRefusal(fault);
    throw code === 'FIELD_INVALID' ? new OAuthFault('invalid_scope', { code, text, publicMessage }) : fault;
  }
}
