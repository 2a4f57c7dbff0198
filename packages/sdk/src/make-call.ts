import { type OperationId, routes } from './api.ts';
import type { Repeat } from './calls.ts';
import { RubricaError, withUnknownOutcome } from './errors.ts';
import { withFilesEncoded } from './files.ts';
import type { CallOptions, Surroundings } from './options.ts';
import type { Tokens } from './tokens.ts';
import { type Answer, exchange, type Fetch } from './transport/exchange.ts';
import { raceAbort } from './transport/race-abort.ts';
import { readError } from './transport/read-error.ts';
import { type Outcome, type RepeatDeps, repeat } from './transport/repeat.ts';

export interface CallDeps extends RepeatDeps, Surroundings {
  readonly fetch: Fetch;
  readonly tokens: Tokens;
  readonly urlOf: (path: string) => URL;
  readonly language: string;
  readonly timeoutMs: number;
}

export interface CallPlan {
  readonly operation: OperationId;
  readonly input: object;
  readonly repeat: Repeat['repeat'];
  readonly options: CallOptions;
  /** Version that the caller already has; an unchanged record is answered with 304. */
  readonly etag?: string | undefined;
}

/** Makes one call, as often as its row allows, with a token that is renewed once if it is refused. */
export async function makeCall(plan: CallPlan, deps: CallDeps): Promise<Outcome> {
  const { signal } = plan.options;
  const request = await toRequest(plan, deps);
  return repeat(
    () => sendAuthorised(request, plan, deps),
    { afterUnknown: plan.repeat !== 'never', signal },
    deps,
  );
}

interface Request {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function toRequest({ operation, input, etag }: CallPlan, deps: CallDeps): Promise<Request> {
  const { method, path, sends } = routes[operation];
  const { address, fields } = fillPath(path, input);
  const url = deps.urlOf(address);
  const headers = {
    accept: 'application/json',
    'accept-language': deps.language,
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
  };
  if (sends === 'body') {
    const body = JSON.stringify(await withFilesEncoded(fields));
    return { method, url, headers: { ...headers, 'content-type': 'application/json' }, body };
  }
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  return { method, url, headers };
}

/** Fills the parameters of the path, in braces, and returns the other fields. */
function fillPath(path: string, input: object): { readonly address: string; readonly fields: object } {
  const fields = new Map<string, unknown>(Object.entries(input));
  const address = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = fields.get(name);
    if (value === undefined || value === null || value === '') throw new TypeError(`${name} is required`);
    fields.delete(name);
    return encodeURIComponent(String(value));
  });
  return { address, fields: Object.fromEntries(fields) };
}

/**
 * Sends a request with a token. It may have been revoked, or its keys replaced, before its end: then a new one is
 * requested once.
 */
async function sendAuthorised(request: Request, plan: CallPlan, deps: CallDeps): Promise<Answer> {
  const send = async (token?: string) => {
    const authorization = token === undefined ? undefined : { authorization: `Bearer ${token}` };
    const headers = { ...request.headers, ...authorization };
    const { signal, timeoutMs = deps.timeoutMs } = plan.options;
    return exchange(deps.fetch, { ...request, headers, signal, timeoutMs });
  };
  if (routes[plan.operation].isPublic) return assertSuccess(await send());
  const { signal } = plan.options;
  const token = await raceAbort(deps.tokens.current(), signal);
  const answer = await send(token);
  const again = answer.status === 401 && deps.tokens.refused(token);
  return assertSuccess(again ? await send(await raceAbort(deps.tokens.current(), signal)) : answer);
}

/** @throws RubricaError unless the status is 2xx or 304 */
function assertSuccess(answer: Answer): Answer {
  if (answer.status === 304) return answer;
  if (answer.status < 200 || answer.status > 299) throw readError(answer);
  if (answer.body !== undefined) return answer;
  const message = `the answer ${answer.status} is no JSON`;
  throw new RubricaError({ message, code: 'UNEXPECTED_ANSWER', status: answer.status, outcomeUnknown: true });
}

/** @throws RubricaError if the call failed */
export function requireAnswer(outcome: Outcome): Answer {
  if ('answer' in outcome) return outcome.answer;
  throw outcome.mayBeDone ? withUnknownOutcome(outcome.failure) : outcome.failure;
}
