import type { OpenIdRefusal } from '@rubrica/contracts/services/schemas/openid';
import { AppError, type Clock, type Logger, type ServiceParts } from '@rubrica/process';
import * as openid from 'openid-client';
import type { BoundedFetch } from './bounded-fetch.ts';
import { askedWith, type Flow } from './flow.ts';
import { type OpenIdProvider, type OpenIdSettings, openIdProviderOf } from './openid-settings.ts';

/** Fields of an id token whose signature, issuer, audience, times and nonce are right. */
export type Redeemed =
  | { readonly claims: Readonly<Record<string, unknown>> }
  | { readonly refusal: OpenIdRefusal };

/** What is asked of the organisation's OpenID provider. */
export interface OpenIdClient {
  readonly provider: OpenIdProvider;
  /** Where the browser goes to sign in. @throws AppError SERVICE_UNAVAILABLE */
  authorizationUrl(flow: Flow): Promise<string>;
  /** @param answer the query that the browser came back with @throws AppError SERVICE_UNAVAILABLE */
  redeem(flow: Flow, answer: URLSearchParams): Promise<Redeemed>;
  close(): Promise<void>;
}

export interface OpenIdDeps {
  /** Undefined where operators do not sign in at the OpenID provider of the organisation. */
  readonly openId: OpenIdClient | undefined;
}

interface OpenIdConfig {
  readonly operatorOpenId: OpenIdSettings;
  readonly consoleUrl?: string | undefined;
  readonly baseUrl: string;
}

/** @returns undefined where operators do not sign in by OpenID */
export async function connectOpenId(
  { operatorOpenId, consoleUrl, baseUrl }: OpenIdConfig,
  { runner, ...needs }: Pick<ServiceParts, 'runner' | 'logger'> & { readonly clock: Clock },
): Promise<OpenIdClient | undefined> {
  const provider = openIdProviderOf(operatorOpenId, consoleUrl ?? baseUrl);
  if (provider === undefined) return undefined;
  // Its HTTP client takes 4 MB.
  const { createBoundedFetch } = await import('./bounded-fetch.ts');
  const bounded = createBoundedFetch({ issuer: provider.issuer, hosts: provider.hosts ?? [] });
  const client = createOpenIdClient({ ...needs, provider, bounded });
  runner.own('OpenID provider', client.close);
  return client;
}

/** What it says of itself is asked for again after this; its keys openid-client keeps for less. */
const keptMs = 60 * 60_000;
const restSeconds = 5;

function createOpenIdClient(deps: {
  readonly provider: OpenIdProvider;
  readonly bounded: BoundedFetch;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}): OpenIdClient {
  const { provider, bounded, clock, logger } = deps;
  let kept: { readonly configuration: Promise<openid.Configuration>; readonly fetchedMs: number } | undefined;

  const unavailable = (cause: unknown): AppError => {
    const reason = reasonOf(cause);
    logger.warn({ issuer: provider.issuer, reason }, 'the OpenID provider of operators gave no good answer');
    return new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: restSeconds, cause });
  };
  const discovered = async (): Promise<openid.Configuration> => {
    const nowMs = clock().getTime();
    if (kept === undefined || nowMs - kept.fetchedMs >= keptMs)
      kept = { configuration: discover(provider, bounded.fetch), fetchedMs: nowMs };
    const mine = kept;
    try {
      return await mine.configuration;
    } catch (error) {
      if (kept === mine) kept = undefined;
      throw unavailable(error);
    }
  };
  return {
    provider,
    async authorizationUrl(flow) {
      const configuration = await discovered();
      const { redirectUri, scope, acr } = provider;
      const asked = { redirect_uri: redirectUri, scope, ...(await askedWith(flow)) };
      const acrValues: Record<string, string> = acr === undefined ? {} : { acr_values: acr.join(' ') };
      return openid.buildAuthorizationUrl(configuration, { ...asked, ...acrValues }).href;
    },
    async redeem(flow, answer) {
      const configuration = await discovered();
      const url = new URL(provider.redirectUri);
      url.search = answer.toString();
      try {
        const tokens = await openid.authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: flow.verifier,
          expectedState: flow.state,
          expectedNonce: flow.nonce,
          idTokenExpected: true,
        });
        return { claims: tokens.claims() ?? {} };
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === undefined) throw unavailable(error);
        logger.warn({ issuer: provider.issuer, reason: reasonOf(error) }, 'a sign-in by OpenID was refused');
        return { refusal };
      }
    },
    close: bounded.close,
  };
}

function discover(provider: OpenIdProvider, fetch: openid.CustomFetch): Promise<openid.Configuration> {
  const { issuer, clientId, clientSecret } = provider;
  // Signatures are checked although the token comes by TLS: what stands in between may not make operators.
  const execute = [openid.enableNonRepudiationChecks];
  // The settings take http on this machine only.
  if (issuer.startsWith('http:')) execute.push(openid.allowInsecureRequests);
  return openid.discovery(new URL(issuer), clientId, undefined, openid.ClientSecretBasic(clientSecret), {
    [openid.customFetch]: fetch,
    execute,
  });
}

/** What it answers where a person has broken off or may not in (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6). */
const declined: ReadonlySet<string> = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
  'unmet_authentication_requirements',
]);
/** What openid-client says of answers that are not of this flow, or of tokens that do not hold. */
const broken: ReadonlySet<string> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_PARSE_ERROR',
]);

/** @returns undefined where it is the provider that fails, or our registration there that is wrong */
function refusalOf(error: unknown): OpenIdRefusal | undefined {
  if (error instanceof openid.AuthorizationResponseError)
    return declined.has(error.error) ? 'declined' : undefined;
  if (error instanceof openid.ResponseBodyError)
    return error.error === 'invalid_grant' ? 'start-again' : undefined;
  if (error instanceof openid.ClientError) return broken.has(error.code ?? '') ? 'start-again' : undefined;
  return undefined;
}

/** For the log: never what was sent. */
function reasonOf(error: unknown): string {
  if (error instanceof openid.AuthorizationResponseError || error instanceof openid.ResponseBodyError)
    return error.error.slice(0, 100);
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
