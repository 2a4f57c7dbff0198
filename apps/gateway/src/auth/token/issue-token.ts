import { createHash } from 'node:crypto';
import { tokenRequestSchema } from '@rubrica/contracts/rest/oauth';
import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import type { Scope } from '@rubrica/contracts/shared/enumerations';
import { toAppError } from '@rubrica/process';
import { bodyPlan } from '../../body/body-plan.ts';
import type { ReadForm } from '../../body/read-form-body.ts';
import type { GatewayConfig } from '../../config.ts';
import { parseFields } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import type { Peers } from '../../peers/peers.ts';
import type { AccessTokens, PartnerIdentity } from '../access-tokens.ts';
import { type ClientCredentials, clientCredentials, unknownClient } from './client-credentials.ts';
import { OAuthFault } from './oauth-fault.ts';

export interface IssueTokenDeps {
  readonly peers: Peers;
  readonly tokens: Pick<AccessTokens, 'issueToPartner'>;
  readonly readForm: ReadForm;
  readonly limits: GatewayConfig['limits'];
  readonly lifetimeSeconds: number;
}

/** OAuth 2.0 client credentials (RFC 6749 §4.4). */
export function createIssueToken(deps: IssueTokenDeps): Handler {
  const plan = bodyPlan('token', deps.limits);
  return async (request, reply) => {
    const form = parseForm(await deps.readForm(request, plan));
    const credentials = clientCredentials(request.headers.authorization, form);
    const identity = await authenticate(credentials, deps.peers);
    const scopes = grantedScopes(form.scope, identity.scopes);
    reply.header('pragma', 'no-cache');
    return {
      access_token: await deps.tokens.issueToPartner({ ...identity, scopes }),
      token_type: 'Bearer',
      expires_in: deps.lifetimeSeconds,
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
      publicMessage: 'grant_type is required, once; it must be client_credentials',
    });
  }
  if (grantType !== 'client_credentials') {
    throw new OAuthFault('unsupported_grant_type', {
      code: 'FIELD_INVALID',
      publicMessage: 'grant_type must be client_credentials',
    });
  }
  const { values, faults } = parseFields(otherShape, fields);
  const [fault] = faults;
  if (fault !== undefined) {
    throw new OAuthFault('invalid_request', { code: fault.code, publicMessage: fault.message });
  }
  return values;
}

function isClientId(text: string) {
  return intakeContract.authenticateClientInput.shape.clientId.safeParse(text).success;
}

async function authenticate(
  { clientId, clientSecret }: ClientCredentials,
  peers: Peers,
): Promise<PartnerIdentity> {
  const secretSha256 = createHash('sha256').update(clientSecret).digest('hex');
  // Intake would refuse the form of such an id; for the client it is an unknown one.
  if (!isClientId(clientId)) throw unknownClient('The client is unknown or its secret is wrong');
  try {
    return await peers.intake['partners.authenticateClient']({ clientId, secretSha256 });
  } catch (error) {
    const fault = toAppError(error);
    if (fault.code !== 'UNAUTHENTICATED') throw fault;
    throw unknownClient('The client is unknown or its secret is wrong', fault);
  }
}

/** All scopes of the client unless it asks for fewer; one that it does not have is refused, not left out. */
function grantedScopes(asked: string | undefined, allowed: readonly Scope[]): Scope[] {
  if (asked === undefined) return [...allowed];
  const wanted = [...new Set(asked.split(/ +/))];
  const granted = allowed.filter((scope) => wanted.includes(scope));
  if (granted.length === wanted.length) return granted;
  throw new OAuthFault('invalid_scope', {
    code: 'FIELD_INVALID',
    publicMessage: `scope must be some of: ${allowed.join(' ')}`,
  });
}
