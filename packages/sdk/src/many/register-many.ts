import {
  type LinkedPartnerRequest,
  type LinkedPartnerResult,
  type LinkedPartnerStatus,
  routes,
} from '../api.ts';
import type { CallRow, Recovered } from '../calls.ts';
import { RubricaError, withUnknownOutcome } from '../errors.ts';
import { withFilesEncoded } from '../files.ts';
import type { CallDeps } from '../make-call.ts';
import type { CallOptions } from '../options.ts';
import { type LostCall, recover } from '../recover.ts';
import { isTransient, waitBefore } from '../transport/backoff.ts';
import { raceAbort } from '../transport/race-abort.ts';
import { readError } from '../transport/read-error.ts';
import { exchangeLines, type LineAnswer } from './exchange-lines.ts';

export interface ManyOptions extends CallOptions {
  /** Registrations per call; default 500. */
  readonly linesPerCall?: number;
}

interface LinePosition {
  /** Index of the registration in the input, from 0. */
  readonly index: number;
  readonly referenceTransaction: string;
}
type Registered = (LinkedPartnerResult & { readonly recovered: false }) | Recovered<LinkedPartnerStatus>;

/** Result of one registration. */
export type Batched =
  | (LinePosition & { readonly registered: Registered; readonly error?: undefined })
  | (LinePosition & { readonly error: RubricaError; readonly registered?: undefined });

/**
 * Registers all inputs, in calls of many lines, and yields the result of each in input order, while it continues. After
 * a broken connection unanswered lines are sent again.
 *
 * @throws RubricaError during the iteration, if the service refuses the caller or can no longer be reached: the outcome
 * of registrations without a result is unknown
 */
export type RegisterMany = (
  inputs: Iterable<LinkedPartnerRequest> | AsyncIterable<LinkedPartnerRequest>,
  options?: ManyOptions,
) => AsyncGenerator<Batched, void>;

interface ManyDeps extends CallDeps {
  readonly ask: LostCall['ask'];
}

interface Line extends LinePosition {
  readonly text: string;
  /** A former attempt may have registered it. */
  mayBeDone: boolean;
  result?: Batched;
  /** Reason why it was not accepted, if that may be temporary. */
  failure?: RubricaError;
}

const defaultLines = 500;
/** Characters of one call, which is held completely in order to be sent again. */
const maxText = 8 * 1024 * 1024;
/** Longest silence. A line over the rate limit waits for the next minute, without an answer meanwhile. */
const defaultSilenceMs = 180_000;

export function createRegisterMany(row: CallRow, deps: ManyDeps): RegisterMany {
  return async function* registerMany(inputs, options = {}) {
    for await (const lines of createBatches(inputs, options.linesPerCall ?? defaultLines)) {
      yield* registerAll(lines, { row, options, deps });
    }
  };
}

async function* createBatches(
  inputs: Iterable<LinkedPartnerRequest> | AsyncIterable<LinkedPartnerRequest>,
  maxLines: number,
): AsyncGenerator<Line[]> {
  let lines: Line[] = [];
  let size = 0;
  let index = 0;
  for await (const input of inputs) {
    const text = JSON.stringify(await withFilesEncoded(input));
    lines.push({ index, referenceTransaction: input.referenceTransaction, text, mayBeDone: false });
    index += 1;
    size += text.length;
    if (lines.length < maxLines && size < maxText) continue;
    yield lines;
    lines = [];
    size = 0;
  }
  if (lines.length > 0) yield lines;
}

interface Many {
  readonly row: CallRow;
  readonly options: ManyOptions;
  readonly deps: ManyDeps;
}

/** Sends lines until each is answered; each answer resets the number of attempts. */
async function* registerAll(lines: readonly Line[], many: Many): AsyncGenerator<Batched, void> {
  const { backoff, random, pause, now } = many.deps;
  const startedAtMs = now();
  let reported = 0;
  let attempts = 0;
  let hasRenewed = false;
  for (;;) {
    const open = lines.filter(({ result }) => result === undefined);
    const attempt: Attempt = { open, startedAtMs, mayRenew: !hasRenewed };
    for await (const _answered of attemptAll(attempt, many)) {
      for (let line = lines[reported]; line?.result !== undefined; line = lines[reported]) {
        reported += 1;
        yield line.result;
      }
    }
    const left = open.filter(({ result }) => result === undefined);
    if (left.length === 0) return;
    const isFurther = left.length < open.length;
    attempts = isFurther ? 1 : attempts + 1;
    hasRenewed = attempt.hasRenewed ?? (hasRenewed && !isFurther);
    if (attempt.hasRenewed) continue;
    const failure = attempt.failure ?? left.find((line) => line.failure)?.failure ?? endedEarlyError();
    const waitMs = waitBefore(failure, { attempts, backoff, random });
    if (waitMs !== undefined) {
      await pause(waitMs, many.options.signal);
      continue;
    }
    if (attempt.failure !== undefined) throw attempt.failure;
    for (const line of left) line.result ??= refused(line, line.failure ?? failure);
    for (const line of lines.slice(reported)) if (line.result) yield line.result;
    return;
  }
}

interface Attempt {
  readonly open: readonly Line[];
  readonly startedAtMs: number;
  /** A refused token is replaced once. */
  readonly mayRenew: boolean;
  hasRenewed?: true;
  /** Failure of the call as a whole. */
  failure?: RubricaError;
}

/** Makes one call; yields after each of its answers. */
async function* attemptAll(attempt: Attempt, many: Many): AsyncGenerator<undefined> {
  const { open, startedAtMs } = attempt;
  const { deps, options, row } = many;
  const answered = new Set<Line>();
  let token = '';
  const renews = ({ status }: RubricaError) => {
    if (status !== 401 || !attempt.mayRenew) return false;
    if (!attempt.hasRenewed && deps.tokens.refused(token)) attempt.hasRenewed = true;
    return attempt.hasRenewed === true;
  };
  try {
    token = await raceAbort(deps.tokens.current(), options.signal);
    for await (const { answer, headers } of exchangeLines(deps.fetch, createRequest(open, token, many))) {
      const line = open[answer.line - 1];
      if (line === undefined) continue;
      answered.add(line);
      const failure = readFailure(answer, headers);
      if (failure !== undefined && (isTransient(failure) || renews(failure))) line.failure = failure;
      else if (failure === undefined) line.result = { ...toPosition(line), registered: taken(answer) };
      else
        line.result = await settle(line, failure, {
          row,
          elapsedMs: deps.now() - startedAtMs,
          ask: deps.ask,
        });
      yield;
    }
  } catch (error) {
    if (!(error instanceof RubricaError)) throw error;
    if (!renews(error)) attempt.failure = error;
  }
  // They were not answered, so each may have been accepted.
  const isSent = attempt.failure?.outcomeUnknown ?? answered.size > 0;
  if (isSent) for (const line of open) line.mayBeDone ||= !answered.has(line);
}

function createRequest(open: readonly Line[], token: string, { options, deps }: Many) {
  const { path } = routes.registerLinkedPartnerBatch;
  return {
    url: deps.urlOf(path),
    headers: {
      accept: 'application/x-ndjson, application/json',
      'accept-language': deps.language,
      'content-type': 'application/x-ndjson',
      authorization: `Bearer ${token}`,
    },
    body: open.map(({ text }) => `${text}\n`).join(''),
    silenceMs: options.timeoutMs ?? defaultSilenceMs,
    signal: options.signal,
  };
}

const toPosition = ({ index, referenceTransaction }: Line): LinePosition => ({ index, referenceTransaction });
const taken = ({ body }: LineAnswer) => ({ ...(body as LinkedPartnerResult), recovered: false }) as const;

function refused(line: Line, error: RubricaError): Batched {
  return { ...toPosition(line), error: line.mayBeDone ? withUnknownOutcome(error) : error };
}

function readFailure({ status, retryAfter, body }: LineAnswer, headers: Headers): RubricaError | undefined {
  if (status === 200) return undefined;
  const reported = new Headers({ date: headers.get('date') ?? '' });
  if (retryAfter !== undefined) reported.set('retry-after', String(retryAfter));
  return readError({ status, headers: reported, body });
}

/** Settles a line that was sent before and is now a duplicate: it was accepted then, if its record is not older. */
async function settle(
  line: Line,
  failure: RubricaError,
  lost: Pick<LostCall, 'row' | 'elapsedMs' | 'ask'>,
): Promise<Batched> {
  if (!line.mayBeDone) return refused(line, failure);
  const input = { referenceTransaction: line.referenceTransaction };
  const record = (await recover({ ...lost, input, failure })) as LinkedPartnerStatus | undefined;
  if (record === undefined) return refused(line, failure);
  return { ...toPosition(line), registered: { ...record, recovered: true } };
}

function endedEarlyError(): RubricaError {
  const message = 'the answers ended before all lines were answered';
  return new RubricaError({ message, code: 'NETWORK_ERROR', outcomeUnknown: true });
}
