import type { OperationId, Operations, routes } from './api.ts';
import { type CallRow, type Calls, calls, type MethodResult } from './calls.ts';
import { RubricaError, withUnknownOutcome } from './errors.ts';
import { type CallDeps, makeCall, requireAnswer } from './make-call.ts';
import { createRegisterMany, type RegisterMany } from './many/register-many.ts';
import type { CallOptions, RubricaOptions, Surroundings, WaitOptions } from './options.ts';
import { recover } from './recover.ts';
import {
  type ClientProof,
  clientTokens,
  type SigningProof,
  staticToken,
  type TokenDeps,
  type Tokens,
} from './tokens.ts';
import { pause } from './transport/pause.ts';
import { waitForStatus } from './wait-for-status.ts';

type Input<Row extends CallRow> = Operations[Row['operation']]['input'];

/** Arguments of a method; a list needs none. */
type Arguments<Row extends CallRow> =
  Partial<Input<Row>> extends Input<Row>
    ? (typeof routes)[Row['operation']]['isPublic'] extends true
      ? [input?: Input<Row>, options?: CallOptions]
      : [input: Input<Row>, options?: CallOptions]
    : [input: Input<Row>, options?: CallOptions];

type Method<Row extends CallRow> = Row extends { repeat: 'by-line' }
  ? RegisterMany
  : Row extends { waits: true }
    ? (input: Input<Row>, options?: WaitOptions<MethodResult<Row>>) => Promise<MethodResult<Row>>
    : (...args: Arguments<Row>) => Promise<MethodResult<Row>>;

/** Operations, grouped by family. */
export type Rubrica = {
  readonly [Group in keyof Calls]: {
    readonly [Name in keyof Calls[Group]]: Calls[Group][Name] extends CallRow
      ? Method<Calls[Group][Name]>
      : never;
  };
};

const defaults = { language: 'en', timeoutMs: 60_000, maxAttempts: 4, maxWaitMs: 30_000 } as const;

/**
 * Creates a client of one partner. Create one and use it for all calls: it caches the token.
 *
 * @throws TypeError if `baseUrl` is not an address
 */
export function createRubrica(options: RubricaOptions, surroundings?: Partial<Surroundings>): Rubrica {
  const deps = createDeps(options, { now: Date.now, random: Math.random, pause, ...surroundings });
  const groups = Object.entries<Readonly<Record<string, CallRow>>>(calls).map(([group, rows]) => [
    group,
    Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, createMethod(row, deps)])),
  ]);
  return Object.fromEntries(groups) as Rubrica;
}

function createDeps(options: RubricaOptions, surroundings: Surroundings): CallDeps {
  const { baseUrl, timeoutMs = defaults.timeoutMs, fetch = globalThis.fetch } = options;
  const { maxAttempts = defaults.maxAttempts, maxWaitMs = defaults.maxWaitMs } = options;
  if (!URL.canParse(baseUrl)) throw new TypeError(`baseUrl is no address: "${baseUrl}"`);
  const base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  const urlOf = (path: string) => new URL(path.slice(1), base);
  const shared = { ...surroundings, fetch, timeoutMs, backoff: { maxAttempts, maxWaitMs } };
  const tokens = createTokens(options, { ...shared, url: urlOf('/oauth/token') });
  return { ...shared, tokens, urlOf, language: options.language ?? defaults.language };
}

function createTokens(options: RubricaOptions, deps: TokenDeps): Tokens {
  if (options.apiToken) return staticToken(options.apiToken);
  const { clientId, scope } = options as { clientId?: string; scope?: string };
  const proof = readProof(options);
  if (clientId && proof !== undefined) return clientTokens({ clientId, proof, scope }, deps);
  throw new TypeError('give clientId and clientSecret or privateKey, or an apiToken');
}

function readProof(options: RubricaOptions): ClientProof | undefined {
  const { privateKey, keyId, audience } = options as Partial<SigningProof>;
  if (privateKey) return { privateKey, keyId, audience };
  return options.clientSecret ? { clientSecret: options.clientSecret } : undefined;
}

function createMethod(row: CallRow, deps: CallDeps) {
  const { operation, repeat } = row;
  const plan = { operation, repeat };
  if (row.repeat === 'by-line') return createRegisterMany(row, { ...deps, ask: createAsk({}, deps) });
  if (row.waits) {
    return (input: object, options: WaitOptions<Operations['linkedPartnerStatus']['output']> = {}) =>
      waitForStatus(
        async (etag) => requireAnswer(await makeCall({ ...plan, input, options, etag }, deps)),
        options,
        deps,
      );
  }
  return async (input: object = {}, options: CallOptions = {}) => {
    const startedAtMs = deps.now();
    const outcome = await makeCall({ ...plan, input, options }, deps);
    const recovers = row.repeat === 'by-reference' || row.repeat === 'by-state';
    if (!recovers) return requireAnswer(outcome).body;
    if ('answer' in outcome) return { ...(outcome.answer.body as object), recovered: false };
    const { failure, mayBeDone } = outcome;
    if (!mayBeDone) throw failure;
    const lost = { row, input, failure, elapsedMs: deps.now() - startedAtMs };
    const found = await recoverOrThrow({ ...lost, ask: createAsk(options, deps) });
    return { ...found, recovered: true };
  };
}

function createAsk(options: CallOptions, deps: CallDeps) {
  return async (operation: OperationId, input: object) => {
    const outcome = await makeCall({ operation, input, repeat: 'safe', options }, deps);
    return requireAnswer(outcome).body as Record<string, unknown>;
  };
}

/**
 * Finds the outcome of a lost call.
 * @throws RubricaError the failure, if the outcome cannot be determined
 */
async function recoverOrThrow(lost: Parameters<typeof recover>[0]): Promise<object> {
  let found: object | undefined;
  try {
    found = await recover(lost);
  } catch (error) {
    if (!(error instanceof RubricaError)) throw error;
    throw withUnknownOutcome(lost.failure);
  }
  if (found === undefined) throw lost.failure;
  return found;
}
