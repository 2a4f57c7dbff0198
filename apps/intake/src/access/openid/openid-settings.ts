import { operatorRoleSchema } from '@rubrica/contracts/shared/enumerations';
import { address, commaList, setting } from '@rubrica/process/config';
import { z } from 'zod';
import { isOutsideSystemAddress } from '../../outside/outside-address.ts';

const addressRule = 'must be an https address (http on this machine only) without user, query and fragment';
const createAddressSchema = () => address(['http:', 'https:']).refine(isOutsideSystemAddress, addressRule);

/**
 * Creates the schema of the roles. A bare `JSON.parse` would end the process with a message that quotes the
 * input.
 */
function createRolesSchema() {
  const schema = z.record(z.string().min(1).max(200), operatorRoleSchema);
  return z.string().transform((text, context) => {
    const parsed = schema.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    context.addIssue(
      'must be a JSON object of values and roles, such as {"ca-admins":"admin","ca-staff":"viewer"}',
    );
    return z.NEVER;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const secret = z.string().regex(/^[\x21-\x7e]{1,1024}$/, 'must be printable characters without blanks');
const name = z.string().min(1).max(200);

/** Settings of the organisation's OpenID provider, at which operators sign in; off without an issuer. */
export const openIdSettings = z
  .object({
    issuer: setting(createAddressSchema().optional(), {
      env: 'OPERATOR_OIDC_ISSUER',
      about: "the organisation's OpenID provider, at which operators may sign in",
    }),
    clientId: setting(name.optional(), {
      env: 'OPERATOR_OIDC_CLIENT_ID',
      about: 'what we are called there; needed with `OPERATOR_OIDC_ISSUER`',
    }),
    clientSecret: setting(secret.optional(), {
      env: 'OPERATOR_OIDC_CLIENT_SECRET',
      about: 'our secret there (`client_secret_basic`); needed with `OPERATOR_OIDC_ISSUER`',
      secret: true,
    }),
    redirectUri: setting(createAddressSchema().optional(), {
      env: 'OPERATOR_OIDC_REDIRECT_URI',
      about:
        'where it sends browsers back, if not to `/auth/oidc/callback` at `CONSOLE_URL`, or else at `BASE_URL`',
    }),
    scope: setting(name.default('openid email'), {
      env: 'OPERATOR_OIDC_SCOPE',
      about: 'what is asked of it, divided by blanks; `openid` is needed',
    }),
    roleClaim: setting(name.default('roles'), {
      env: 'OPERATOR_OIDC_ROLE_CLAIM',
      about: 'field of the id token that holds a value or a list of them; dots lead into objects',
    }),
    roles: setting(createRolesSchema().optional(), {
      env: 'OPERATOR_OIDC_ROLES',
      about:
        'JSON object of values and the role that each gives; the highest counts; needed with `OPERATOR_OIDC_ISSUER`',
    }),
    acr: setting(commaList().optional(), {
      env: 'OPERATOR_OIDC_ACR',
      about: '`acr` values of which the id token must have one, divided by commas; asked for too',
    }),
    amr: setting(commaList().optional(), {
      env: 'OPERATOR_OIDC_AMR',
      about: '`amr` values of which the id token must have one, such as `mfa`, divided by commas',
    }),
    hosts: setting(commaList().pipe(z.array(z.string().toLowerCase()).max(20)).optional(), {
      env: 'OPERATOR_OIDC_HOSTS',
      about: 'hosts of its other addresses, if not its own, divided by commas',
    }),
  })
  .superRefine(({ issuer, scope, ...rest }, context) => {
    if (issuer === undefined) return;
    const needed = { clientId: 'CLIENT_ID', clientSecret: 'CLIENT_SECRET', roles: 'ROLES' } as const;
    for (const [key, end] of Object.entries(needed))
      if (rest[key as keyof typeof needed] === undefined)
        context.addIssue(`OPERATOR_OIDC_${end} is required with OPERATOR_OIDC_ISSUER`);
    if (!scope.split(' ').includes('openid')) context.addIssue('OPERATOR_OIDC_SCOPE must contain openid');
  });

export type OpenIdSettings = z.output<typeof openIdSettings>;

/** Complete settings of the provider. */
export type OpenIdProvider = OpenIdSettings & {
  readonly [Key in 'issuer' | 'clientId' | 'clientSecret' | 'redirectUri' | 'roles']: NonNullable<
    OpenIdSettings[Key]
  >;
};

/**
 * @param origin origin of the operators' browsers
 * @returns undefined if operators do not sign in by OpenID
 */
export function toOpenIdProvider(settings: OpenIdSettings, origin: string): OpenIdProvider | undefined {
  const { issuer, clientId, clientSecret, roles } = settings;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined || roles === undefined)
    return undefined;
  const redirectUri = settings.redirectUri ?? `${origin}/auth/oidc/callback`;
  return { ...settings, issuer, clientId, clientSecret, roles, redirectUri };
}
