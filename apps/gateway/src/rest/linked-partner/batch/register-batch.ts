import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { say } from '@rubrica/contracts/error-texts/say';
import { giveBack } from '@rubrica/json-stream';
import { AppError } from '@rubrica/process';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatePartner } from '../../../auth/authenticate-partner.ts';
import type { SealedBody } from '../../../body/body.ts';
import { bodyPlan } from '../../../body/body-plan.ts';
import type { Allowance, ByteBudget } from '../../../body/byte-budget.ts';
import type { FileKeeper } from '../../../body/files/keep-files.ts';
import { mediaTypeOf } from '../../../body/media-type.ts';
import type { Turns } from '../../../body/turns.ts';
import { clean } from '../../../fields/clean.ts';
import { callerKey } from '../../../http/caller-key.ts';
import type { Handler } from '../../../http/handler.ts';
import { saysIn } from '../../../http/in-language.ts';
import type { RateLimits } from '../../../http/rate-limits.ts';
import { discard, readOn } from '../../../http/read-on.ts';
import { type AnswerFault, retryAfterOf } from '../../../http/send-error.ts';
import type { RestDeps } from '../../deps.ts';
import { evidenceFilePlace } from '../../evidence/check-evidences.ts';
import { type Asked, readDryRun } from '../../requests/dry-run.ts';
import { assertScope } from '../../scope.ts';
import { createRegisterOne } from '../register-linked-partner.ts';
import { createOrderedAnswers } from './answers.ts';
import { createInFlight } from './in-flight.ts';
import { readChunks } from './read-chunks.ts';
import { type LineReader, readLine } from './read-line.ts';
import { createLineSplitter, type LinePiece } from './split-lines.ts';

export interface BatchDeps
  extends Pick<RestDeps, 'peers' | 'bundleFiles' | 'sealPassword' | 'limits' | 'timeZone'> {
  readonly authenticate: AuthenticatePartner;
  readonly partnerWaitMs: RateLimits['partnerWaitMs'];
  readonly answerFault: AnswerFault;
  readonly budget: ByteBudget;
  readonly turns: Turns;
  readonly openFiles: () => FileKeeper;
  /** Fires when callers should go elsewhere: a batch takes no more lines then. */
  readonly draining: AbortSignal;
}

/** Of one batch at once: enough for intake to write several in one go, few enough that other calls come between. */
const mostInFlight = 64;
/** What the answers of a batch may come to, compressed, where its caller reads none of them. */
const answersBytes = 1024 * 1024;
const readOnMs = 5_000;
/** A line up to here takes no turns, as a body of its own does not. */
const turnFreeBytes = 256 * 1024;
/** Lines in flight wait while lines are read: after so many bytes they get a turn of the event loop. */
const atOnceBytes = 128 * 1024;
/** What a line costs beside its bytes. */
const lineBytes = 16 * 1024;

/**
 * Registers each line of a batch by itself and answers each in its place. The body is read whether the answers are read
 * or not, and no faster than its lines are registered.
 */
export function createRegisterBatch(deps: BatchDeps): Handler {
  return async (request, reply) => {
    assertLines(request);
    const allowance = deps.budget.of(callerKey(request));
    allowance.take(answersBytes);
    try {
      await answerBatch({ deps, request, reply, allowance });
    } finally {
      allowance.give(answersBytes);
    }
  };
}

function assertLines({ raw }: FastifyRequest): void {
  if (mediaTypeOf(raw.headers) === 'application/x-ndjson') return;
  throw new AppError({
    code: 'UNSUPPORTED_MEDIA_TYPE',
    publicMessage: say('The body must be sent as application/x-ndjson'),
  });
}

interface Batch {
  readonly deps: BatchDeps;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly allowance: Allowance;
}

async function answerBatch(batch: Batch): Promise<void> {
  const { deps, request, reply } = batch;
  const gone = new AbortController();
  const stop = AbortSignal.any([deps.draining, gone.signal]);
  const closed = new Promise<void>((resolve) => reply.raw.once('close', resolve));
  void closed.then(() => gone.abort());
  const lines = createLines(batch, stop);
  saysIn(request.call.language, reply).type('application/x-ndjson').send(lines.answers);
  const silenceMs = deps.limits.batchSilenceSeconds * 1000;
  const isComplete = await readChunks(request.raw, { silenceMs, stop: lines.stop }, lines.take);
  if (isComplete) await lines.endOfBody();
  await lines.finish();
  // The answer ends before the body: whoever is still sending is to see it.
  if (deps.draining.aborted) readOn(request.raw, readOnMs);
  else discard(request.raw, silenceMs);
  await closed;
}

interface Lines {
  readonly answers: NodeJS.ReadableStream;
  /** Fires when no more lines are taken. */
  readonly stop: AbortSignal;
  take(chunk: Buffer): Promise<void>;
  endOfBody(): Promise<void>;
  /** Waits for the lines in flight and ends the answers. */
  finish(): Promise<void>;
}

function createLines({ deps, request, allowance }: Batch, outside: AbortSignal): Lines {
  const asked = readDryRun(request);
  const plan = asked.planOf(bodyPlan('registerLinkedPartnerBatch', deps.limits, [evidenceFilePlace]));
  const registerLine = createRegisterLine(deps, request, asked);
  const splitter = createLineSplitter();
  const answers = createOrderedAnswers();
  const inFlight = createInFlight(mostInFlight);
  const full = new AbortController();
  const stop = AbortSignal.any([outside, full.signal]);
  const { openFiles } = deps;
  let open: LineReader | undefined;
  let sinceTurn = 0;
  let hasLines = false;

  const begin = async (line: number): Promise<LineReader | undefined> => {
    if (line > deps.limits.batchLines) {
      answers.next()(lineOf(line, faultOf(tooManyLines(deps.limits.batchLines), { deps, request })));
      full.abort();
      return undefined;
    }
    hasLines = true;
    await inFlight.room();
    await admitted(deps, request, stop);
    return stop.aborted ? undefined : readLine(plan, { allowance, openFiles });
  };
  const register = (line: number, reader: LineReader) => {
    const fill = answers.next();
    const read = bodyOf(reader);
    inFlight.begin('body' in read ? referenceOf(read.body) : undefined, async () => {
      fill(lineOf(line, await registerLine(read)));
      reader.release();
    });
  };
  const takePiece = async ({ line, bytes, isLast }: LinePiece) => {
    open ??= await begin(line);
    if (open === undefined) return;
    if (open.size() > turnFreeBytes) await deps.turns.take();
    const wait = open.push(bytes);
    if (wait !== undefined) await wait;
    sinceTurn += bytes.length;
    if (isLast) {
      register(line, open);
      open = undefined;
      sinceTurn += lineBytes;
    }
    if (sinceTurn < atOnceBytes) return;
    sinceTurn = 0;
    await nextTurn();
  };
  const takeAll = async (pieces: Iterable<LinePiece>) => {
    for (const piece of pieces) {
      if (stop.aborted) return;
      await takePiece(piece);
    }
  };
  return {
    answers: answers.stream,
    stop,
    async take(chunk) {
      await takeAll(splitter.push(chunk));
      giveBack(chunk);
    },
    async endOfBody() {
      await takeAll(splitter.end());
      // A call without a line is one call.
      if (!hasLines) await admitted(deps, request, stop);
    },
    async finish() {
      await inFlight.done();
      // Its end has not come, so nothing can be said of it.
      open?.release();
      answers.end();
    },
  };
}

/** A line over the rate limit waits for its turn instead of failing. */
async function admitted(deps: BatchDeps, request: FastifyRequest, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const waitMs = await deps.partnerWaitMs(request);
    if (waitMs === 0) return;
    await pause(waitMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

type ReadLine = { readonly body: SealedBody } | { readonly error: unknown };

function bodyOf(reader: LineReader): ReadLine {
  try {
    return { body: reader.end() };
  } catch (error) {
    return { error };
  }
}

/** As intake compares them. */
function referenceOf({ fields: { referenceTransaction } }: SealedBody): string | undefined {
  const value = clean('referenceTransaction', referenceTransaction);
  return typeof value === 'string' ? value : undefined;
}

interface LineAnswer {
  readonly status: number;
  readonly retryAfter?: number;
  readonly body: object;
}

function lineOf(line: number, { status, retryAfter, body }: LineAnswer): string {
  return `${JSON.stringify({ line, status, ...(retryAfter === undefined ? {} : { retryAfter }), body })}\n`;
}

interface InCall {
  readonly deps: Pick<BatchDeps, 'answerFault'>;
  readonly request: FastifyRequest;
}

function faultOf(error: unknown, { deps, request }: InCall): LineAnswer {
  const { fault, status, body } = deps.answerFault(error, request);
  const seconds = retryAfterOf(fault);
  return { status, body: body(), ...(seconds === undefined ? {} : { retryAfter: seconds }) };
}

function tooManyLines(count: number): AppError {
  const publicMessage = say('A batch has at most {count} lines; send the rest in another', { count });
  return new AppError({ code: 'BODY_TOO_LARGE', publicMessage });
}

/** The caller is looked at for each line: a token may end while a batch runs. */
function createRegisterLine(deps: BatchDeps, request: FastifyRequest, asked: Asked) {
  const registerOne = createRegisterOne(deps);
  const { language } = request.call;
  return async (line: ReadLine): Promise<LineAnswer> => {
    try {
      const caller = await deps.authenticate(request.headers.authorization);
      assertScope(caller, 'collector:write');
      if ('error' in line) throw line.error;
      return { status: 200, body: await registerOne(line.body, { asked, caller, language }) };
    } catch (error) {
      return faultOf(error, { deps, request });
    }
  };
}
