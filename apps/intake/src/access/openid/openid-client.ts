import type { OpenIdRefusal } from '@rubrica/contracts/services/schemas/openid';
import { AppError } from '@rubrica/process/errors';
import type { Logger } from '@rubrica/process/log';
import type { ServiceParts } from '@rubrica/process/runner';
import type { Clock } from '@rubrica/process/time';
import * as openid from 'openid-client';
import type { BoundedFetch } from './bounded-fetch.ts';
import { type Flow, toAuthorizationParams } from './flow.ts';
import { type OpenIdProvider, type OpenIdSettings, toOpenIdProvider } from './openid-settings.ts';

/** Claims of an id token whose signature, issuer, audience, times and nonce are right, or the refusal. */
export type RedeemResult =
  | { readonly claims: Readonly<Record<string, unknown>> }
  | { readonly refusal: OpenIdRefusal };

/** Client of the organisation's OpenID provider. */
export interface OpenIdClient {
  readonly provider: OpenIdProvider;
  /** Builds the address at which the browser signs in. @throws AppError SERVICE_UNAVAILABLE */
  authorizationUrl(flow: Flow): Promise<string>;
  /** @param answer query with which the browser came back @throws AppError SERVICE_UNAVAILABLE */
  redeem(flow: Flow, answer: URLSearchParams): Promise<RedeemResult>;
  close(): Promise<void>;
}

export interface OpenIdDeps {
  /** OpenID provider of the organisation; undefined if operators do not sign in there. */
  readonly openId: OpenIdClient | undefined;
}

interface OpenIdConfig {
  readonly operatorOpenId: OpenIdSettings;
  readonly consoleUrl?: string | undefined;
  readonly baseUrl: string;
}

/** @returns undefined if operators do not sign in by OpenID */
export async function connectOpenId(
  { operatorOpenId, consoleUrl, baseUrl }: OpenIdConfig,
  { runner, ...deps }: Pick<ServiceParts, 'runner' | 'logger'> & { readonly clock: Clock },
): Promise<OpenIdClient | undefined> {
  const provider = toOpenIdProvider(operatorOpenId, consoleUrl ?? baseUrl);
  if (provider === undefined) return undefined;
  // Imported here, because its HTTP client takes 4 MB.
  const { createBoundedFetch } = await import('./bounded-fetch.ts');
  const bounded = createBoundedFetch({ issuer: provider.issuer, hosts: provider.hosts ?? [] });
  const client = createOpenIdClient({ ...deps, provider, bounded });
  runner.own('OpenID provider', client.close);
  return client;
}

/** Lifetime of the fetched configuration; openid-client keeps the keys for less. */
const configurationTtlMs = 60 * 60_000;
const retryAfterSeconds = 5;

function createOpenIdClient(deps: {
  readonly provider: OpenIdProvider;
  readonly bounded: BoundedFetch;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}): OpenIdClient {
  const { provider, bounded, clock, logger } = deps;
  let cached:
    | { readonly configuration: Promise<openid.Configuration>; readonly fetchedMs: number }
    | undefined;

  const unavailable = (cause: unknown): AppError => {
    const reason = describeError(cause);
    logger.warn({ issuer: provider.issuer, reason }, 'OpenID provider of operators failed');
    return new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds, cause });
  };
  const loadConfiguration = async (): Promise<openid.Configuration> => {
    const nowMs = clock().getTime();
    if (cached === undefined || nowMs - cached.fetchedMs >= configurationTtlMs)
      cached = { configuration: discover(provider, bounded.fetch), fetchedMs: nowMs };
    const current = cached;
    try {
      return await current.configuration;
    } catch (error) {
      if (cached === current) cached = undefined;
      throw unavailable(error);
    }
  };
  return {
    provider,
    async authorizationUrl(flow) {
      const configuration = await loadConfiguration();
      const { redirectUri, scope, acr } = provider;
      const parameters = { redirect_uri: redirectUri, scope, ...(await toAuthorizationParams(flow)) };
      const acrValues: Record<string, string> = acr === undefined ? {} : { acr_values: acr.join(' ') };
      return openid.buildAuthorizationUrl(configuration, { ...parameters, ...acrValues }).href;
    },
    async redeem(flow, answer) {
      const configuration = await loadConfiguration();
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
        const refusal = toRefusal(error);
        if (refusal === undefined) throw unavailable(error);
        logger.warn({ issuer: provider.issuer, reason: describeError(error) }, 'OpenID sign-in refused');
        return { refusal };
      }
    },
    close: bounded.close,
  };
}

function discover(provider: OpenIdProvider, fetch: openid.CustomFetch): Promise<openid.Configuration> {
  const { issuer, clientId, clientSecret } = provider;
  // Signatures are checked although the token comes by TLS: an intermediary must not be able to create
  // operators.
  const execute = [openid.enableNonRepudiationChecks];
  // The settings allow http on this machine only.
  if (issuer.startsWith('http:')) execute.push(openid.allowInsecureRequests);
  return openid.discovery(new URL(issuer), clientId, undefined, openid.ClientSecretBasic(clientSecret), {
    [openid.customFetch]: fetch,
    execute,
  });
}

/**
 * Error codes when a person has cancelled or may not sign in (RFC 6749 §4.1.2.1, OpenID Connect Core
 * §3.1.2.6).
 */
const declinedCodes: ReadonlySet<string> = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
  'unmet_authentication_requirements',
]);
/** Error codes of openid-client for answers of another flow, or for invalid tokens. */
const brokenCodes: ReadonlySet<string> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_PARSE_ERROR',
]);

/** @returns undefined if the provider fails, or our registration there is wrong */
function toRefusal(error: unknown): OpenIdRefusal | undefined {
  if (error instanceof openid.AuthorizationResponseError)
    return declinedCodes.has(error.error) ? 'declined' : undefined;
  if (error instanceof openid.ResponseBodyError)
    return error.error === 'invalid_grant' ? 'start-again' : undefined;
  if (error instanceof openid.ClientError)
    return brokenCodes.has(error.code ?? '') ? 'start-again' : undefined;
  return undefined;
}

/** Returns a reason for the log, never the data that was sent. */
function describeError(error: unknown): string {
  if (error instanceof openid.AuthorizationResponseError || error instanceof openid.ResponseBodyError)
    return error.error.slice(0, 100);
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
