import { AppError } from '@rubrica/process/errors';
import type { Logger } from '@rubrica/process/log';
import type { Clock } from '@rubrica/process/time';
import type { Peers } from '@rubrica/wiring';
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { IssuerBinding } from './issuer-settings.ts';

export interface IssuerKeysDeps {
  readonly peers: { readonly notifier: Pick<Peers<'intake'>['notifier'], 'documents.read'> };
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** @throws AppError SERVICE_UNAVAILABLE if the keys cannot be fetched now */
export type IssuerKeys = (binding: IssuerBinding) => JWTVerifyGetKey;

/** Lifetime of fetched keys, after which a key that the issuer has withdrawn ends. */
const cacheMs = 5 * 60_000;
/** Lifetime of fetched keys while the issuer does not answer. */
const maxCacheMs = 60 * 60_000;
/** Least time after a successful fetch, however many tokens with invented key ids are presented. */
const minIntervalMs = 30_000;
/** Least time after a failed fetch. */
const faultIntervalMs = 5_000;
const maxKeys = 100;

interface State {
  keys: JWTVerifyGetKey | undefined;
  fetchedMs: number;
  /** Time before which the issuer is not asked again. */
  nextMs: number;
  running: Promise<void> | undefined;
}

/**
 * Creates the store of the keys of partners' issuers. The notifier fetches them: a service that signs tokens
 * dials no foreign address.
 */
export function createIssuerKeys(deps: IssuerKeysDeps): IssuerKeys {
  const { clock } = deps;
  const states = new Map<string, State>();

  const refresh = async (binding: IssuerBinding, state: State): Promise<void> => {
    const startedMs = clock().getTime();
    try {
      state.keys = await fetchKeys(binding, deps);
      state.fetchedMs = startedMs;
      state.nextMs = startedMs + minIntervalMs;
    } catch (error) {
      state.nextMs = clock().getTime() + faultIntervalMs;
      const reason = error instanceof Error ? error.message : 'unknown';
      deps.logger.warn({ issuer: binding.issuer, reason }, 'keys of an issuer not fetched');
    } finally {
      state.running = undefined;
    }
  };

  const loadKeys = async (binding: IssuerBinding, isMissing: boolean): Promise<JWTVerifyGetKey> => {
    const state = getState(states, binding.issuer);
    const nowMs = clock().getTime();
    const isDue = isMissing || state.keys === undefined || nowMs - state.fetchedMs >= cacheMs;
    if (isDue && state.running === undefined && nowMs >= state.nextMs)
      state.running = refresh(binding, state);
    if (isDue) await state.running;
    if (state.keys !== undefined && nowMs - state.fetchedMs < maxCacheMs) return state.keys;
    throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: faultIntervalMs / 1000 });
  };

  return (binding) => async (header, token) => {
    const cached = await loadKeys(binding, false);
    try {
      return await cached(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const fresh = await loadKeys(binding, true);
      if (fresh === cached) throw error;
      return fresh(header, token);
    }
  };
}

function getState(states: Map<string, State>, issuer: string): State {
  const state = states.get(issuer) ?? { keys: undefined, fetchedMs: 0, nextMs: 0, running: undefined };
  states.set(issuer, state);
  return state;
}

/** Fetches the keys by OpenID Connect Discovery 1.0 §4. The document must name the issuer it was asked of. */
async function fetchKeys(binding: IssuerBinding, deps: IssuerKeysDeps): Promise<JWTVerifyGetKey> {
  const { issuer } = binding;
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const shape = z.object({ issuer: z.literal(issuer), jwks_uri: z.url().max(2048) });
  const { jwks_uri: jwksUri } = shape.parse(await readJson(address, deps));
  assertOwnHost(new URL(jwksUri), binding);
  const { keys } = z
    .object({ keys: z.array(z.looseObject({ kty: z.string() })).max(maxKeys) })
    .parse(await readJson(jwksUri, deps));
  return createLocalJWKSet({ keys });
}

/**
 * Refuses keys on other hosts: a party that can write an issuer's document, but not its keys, could else name
 * any server for them.
 */
function assertOwnHost({ protocol, host }: URL, { issuer, keyHosts }: IssuerBinding): void {
  const issuerUrl = new URL(issuer);
  if (protocol === issuerUrl.protocol && (host === issuerUrl.host || keyHosts.includes(host))) return;
  throw new Error(`its keys are at ${protocol}//${host}, which is neither its own host nor listed`);
}

async function readJson(url: string, { peers }: IssuerKeysDeps): Promise<unknown> {
  const document = await peers.notifier['documents.read']({ url });
  if (document.kind === 'failed') throw new Error(document.message);
  return JSON.parse(document.text);
}
