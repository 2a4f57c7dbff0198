import { AppError, type Clock, type Logger } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { IssuerBinding } from './issuer-settings.ts';

export interface IssuerKeysDeps {
  readonly peers: { readonly notifier: Pick<Peers<'intake'>['notifier'], 'documents.read'> };
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** @throws AppError SERVICE_UNAVAILABLE where its keys cannot be had now */
export type IssuerKeys = (binding: IssuerBinding) => JWTVerifyGetKey;

/** A key that the issuer has taken back ends after this. */
const keptMs = 5 * 60_000;
/** While the issuer does not answer, what was kept is good for so long. */
const longestMs = 60 * 60_000;
/** Whoever shows tokens with invented key ids makes us ask the issuer no more often. */
const restMs = 30_000;
const restAfterFaultMs = 5_000;
const mostKeys = 100;

interface State {
  keys: JWTVerifyGetKey | undefined;
  fetchedMs: number;
  /** Not asked again before. */
  nextMs: number;
  running: Promise<void> | undefined;
}

/** The keys of partners' issuers. The notifier fetches them: who signs tokens dials no address of a stranger. */
export function createIssuerKeys(deps: IssuerKeysDeps): IssuerKeys {
  const { clock } = deps;
  const states = new Map<string, State>();

  const refresh = async (binding: IssuerBinding, state: State): Promise<void> => {
    const startedMs = clock().getTime();
    try {
      state.keys = await fetchKeys(binding, deps);
      state.fetchedMs = startedMs;
      state.nextMs = startedMs + restMs;
    } catch (error) {
      state.nextMs = clock().getTime() + restAfterFaultMs;
      const reason = error instanceof Error ? error.message : 'unknown';
      deps.logger.warn({ issuer: binding.issuer, reason }, "an issuer's keys cannot be fetched");
    } finally {
      state.running = undefined;
    }
  };

  const keysOf = async (binding: IssuerBinding, isMissing: boolean): Promise<JWTVerifyGetKey> => {
    const state = stateOf(states, binding.issuer);
    const nowMs = clock().getTime();
    const isDue = isMissing || state.keys === undefined || nowMs - state.fetchedMs >= keptMs;
    if (isDue && state.running === undefined && nowMs >= state.nextMs)
      state.running = refresh(binding, state);
    if (isDue) await state.running;
    if (state.keys !== undefined && nowMs - state.fetchedMs < longestMs) return state.keys;
    throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: restAfterFaultMs / 1000 });
  };

  return (binding) => async (header, token) => {
    const kept = await keysOf(binding, false);
    try {
      return await kept(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const fresh = await keysOf(binding, true);
      if (fresh === kept) throw error;
      return fresh(header, token);
    }
  };
}

function stateOf(states: Map<string, State>, issuer: string): State {
  const made = states.get(issuer) ?? { keys: undefined, fetchedMs: 0, nextMs: 0, running: undefined };
  states.set(issuer, made);
  return made;
}

/** OpenID Connect Discovery 1.0 §4; the document must name the issuer it was asked of. */
async function fetchKeys(binding: IssuerBinding, deps: IssuerKeysDeps): Promise<JWTVerifyGetKey> {
  const { issuer } = binding;
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const shape = z.object({ issuer: z.literal(issuer), jwks_uri: z.url().max(2048) });
  const { jwks_uri: jwksUri } = shape.parse(await readJson(address, deps));
  assertOwnHost(new URL(jwksUri), binding);
  const { keys } = z
    .object({ keys: z.array(z.looseObject({ kty: z.string() })).max(mostKeys) })
    .parse(await readJson(jwksUri, deps));
  return createLocalJWKSet({ keys });
}

/** Who may write the document of an issuer, but not its keys, could else name any server for them. */
function assertOwnHost({ protocol, host }: URL, { issuer, keyHosts }: IssuerBinding): void {
  const own = new URL(issuer);
  if (protocol === own.protocol && (host === own.host || keyHosts.includes(host))) return;
  throw new Error(`its keys are at ${protocol}//${host}, which is neither its own host nor listed`);
}

async function readJson(url: string, { peers }: IssuerKeysDeps): Promise<unknown> {
  const document = await peers.notifier['documents.read']({ url });
  if (document.kind === 'failed') throw new Error(document.message);
  return JSON.parse(document.text);
}
