import { setImmediate as nextTick } from 'node:timers/promises';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Allowance, ByteBudget } from '@rubrica/process/bodies';
import { AppError } from '@rubrica/process/errors';
import { discardBody } from '@rubrica/process/http';
import { createOwnerCounts } from '@rubrica/wiring/shares';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatePartner } from '../../auth/authenticate-partner.ts';
import { createOperationBodyPlan, type SealedBody } from '../../body/body.ts';
import type { OpenFileKeeper } from '../../body/files/keep-files.ts';
import type { StoredFiles } from '../../body/files/stored-files.ts';
import { parseMediaType } from '../../body/media-type.ts';
import type { WorkScheduler } from '../../body/work-scheduler.ts';
import { normalizeValue } from '../../fields/parse-fields.ts';
import { callerName, listCallerKeys } from '../../http/caller-keys.ts';
import type { Handler } from '../../http/handler.ts';
import { setLanguageHeaders } from '../../http/localize.ts';
import type { RateLimits } from '../../http/rate-limits.ts';
import type { AnswerFault } from '../../http/send-error.ts';
import type { RestDeps } from '../deps.ts';
import { evidenceFilePath } from '../evidence/check-evidences.ts';
import { registerBody } from '../linked-partner/register-linked-partner.ts';
import { type DryRunMode, planBody, readDryRun } from '../requests/dry-run.ts';
import { assertScope } from '../scope.ts';
import { type AnswerMemory, reserveAnswerMemory } from './answer-memory.ts';
import { admit, createInFlight, type InFlight } from './in-flight.ts';
import {
  createFaultAnswer,
  createOrderedAnswers,
  createOverflowAnswer,
  formatAnswerLine,
  type LineAnswer,
  type OrderedAnswers,
} from './line-answers.ts';
import { type LineReader, type ReadLine, readLine } from './read-line.ts';
import { readLinePieces } from './read-line-pieces.ts';

// Longer than 250 lines on purpose: the flow of a batch, from its admission to the answer of each line.

export interface BatchDeps
  extends Pick<RestDeps, 'peers' | 'bundleFiles' | 'sealPassword' | 'limits' | 'timeZone'> {
  readonly authenticate: AuthenticatePartner;
  readonly partnerWaitMs: RateLimits['partnerWaitMs'];
  readonly answerFault: AnswerFault;
  readonly budget: ByteBudget;
  readonly workScheduler: WorkScheduler;
  readonly openFileKeeper: OpenFileKeeper;
  readonly storedFiles: StoredFiles;
  /** Counter of answered lines, by status. */
  readonly batchLines: { inc(labels: { readonly status: number }): void };
  /** Fires before the server closes: a batch then accepts no more lines. */
  readonly draining: AbortSignal;
}

/** Maximum open batches of one partner in this copy: each may take hours and holds memory, even with little data. */
const maxOpenBatches = 8;
const retryAfterSeconds = 30;
/**
 * Concurrent lines of one batch: enough for intake to write several at once, few enough to leave capacity for other
 * calls.
 */
const maxInFlight = 64;
/** Lines up to this size are not scheduled, like a body of the same size. */
const unscheduledBytes = 256 * 1024;
/** Bytes after which the event loop is yielded, because lines in flight wait while lines are read. */
const yieldAfterBytes = 128 * 1024;
/** Cost of a line in addition to its bytes. */
const lineBytes = 16 * 1024;

/**
 * Registers each line of a batch separately and answers in order. The body is read even if the answers are not, at the
 * speed of the registrations, while there is memory for the answers.
 */
export function createRegisterBatch(deps: BatchDeps): Handler {
  const open = createOwnerCounts();
  return async (request, reply) => {
    // 1. The caller may have another batch open, and memory for its answers.
    assertNdjson(request);
    const keys = listCallerKeys(request);
    const caller = callerName(keys);
    if (open.of(caller) >= maxOpenBatches) throw createTooManyOpen();
    const allowance = deps.budget.of(keys);
    const silenceMs = deps.limits.batchSilenceSeconds * 1000;
    const memory = reserveAnswerMemory({ allowance, silenceMs });
    open.add(caller);
    try {
      await answerBatch({ deps, request, reply, allowance, memory });
    } finally {
      open.remove(caller);
      memory.free();
    }
  };
}

/** One call with its resources. */
interface Batch {
  readonly deps: BatchDeps;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly allowance: Allowance;
  readonly memory: AnswerMemory;
}

async function answerBatch(batch: Batch): Promise<void> {
  const { deps, request, reply } = batch;
  // 2. The answer begins before the body has ended. It ends early if the caller disconnects, the server closes, or the
  // limit of lines is reached.
  const gone = new AbortController();
  const closed = new Promise<void>((resolve) => reply.raw.once('close', resolve));
  void closed.then(() => gone.abort());
  const answers = createOrderedAnswers(batch.memory.add);
  setLanguageHeaders(request.call.language, reply).type('application/x-ndjson').send(answers.stream);

  // 3. Lines are read and registered. A crash loses the answers of lines in flight: the caller sends the batch again,
  // and a line that was registered is a repeat of its reference.
  await registerLines(batch, answers, AbortSignal.any([deps.draining, gone.signal]));
  answers.end();

  // 4. The answer ends before the body, so a caller that is still sending must be able to see it.
  if (!deps.draining.aborted) discardBody(request.raw, deps.limits.batchSilenceSeconds * 1000);
  await closed;
}

/**
 * Reads the lines and registers each. Longer than fifty lines on purpose: the steps of one line, in order.
 */
async function registerLines(batch: Batch, answers: OrderedAnswers, outside: AbortSignal): Promise<void> {
  const { deps, request, allowance, memory } = batch;
  const { openFileKeeper, storedFiles, limits } = deps;
  const ended = new AbortController();
  const stop = AbortSignal.any([outside, ended.signal]);
  const dryRun = readDryRun(request);
  const plan = planBody(
    createOperationBodyPlan('registerLinkedPartnerBatch', deps.limits, [evidenceFilePath]),
    dryRun,
  );
  const slot = deps.workScheduler.of(callerName(listCallerKeys(request)));
  const inFlight = createInFlight(maxInFlight);
  const waitForAdmission = () => admit({ waitMs: () => deps.partnerWaitMs(request), stop });
  let reader: LineReader | undefined;
  let hasLines = false;
  let bytesSinceYield = 0;
  const yieldIfDue = async () => {
    if (bytesSinceYield < yieldAfterBytes) return;
    bytesSinceYield = 0;
    await nextTick();
  };
  const refuseLine = (line: number) => {
    answers.next()(formatAnswerLine(line, createOverflowAnswer(batch)));
    ended.abort();
  };
  /** Blank lines at the end are no fault, but have a limit too. */
  const maxLineNumber = 2 * limits.batchLines;
  const waitForReader = () =>
    memory.wait(stop).catch(() => {
      ended.abort();
      request.raw.socket.destroy();
    });
  const silenceMs = limits.batchSilenceSeconds * 1000;
  for await (const piece of readLinePieces(request.raw, { silenceMs, stop })) {
    if (piece.kind === 'end') {
      // A call without lines counts as one call.
      if (!hasLines) await waitForAdmission();
      break;
    }
    if (piece.kind === 'chunk-end') {
      bytesSinceYield += piece.bytes;
      if (piece.line > maxLineNumber) refuseLine(piece.line);
      await yieldIfDue();
      continue;
    }
    const { line, bytes, isLast } = piece;

    // a. A new line waits for one of the lines in flight, for memory for its answer and for the rate limit. One beyond
    // the limit ends the batch.
    if (reader === undefined) {
      if (line > limits.batchLines) {
        refuseLine(line);
        break;
      }
      hasLines = true;
      await inFlight.room();
      await waitForReader();
      await waitForAdmission();
      if (stop.aborted) break;
      reader = readLine(plan, { allowance, openFileKeeper, stored: storedFiles.open(request) });
    }

    // b. It is decoded while it arrives, in the caller's slot if it is large.
    if (reader.size() > unscheduledBytes) await slot.take();
    const wait = reader.push(bytes);
    if (wait !== undefined) await wait;

    // c. A complete line is registered while the next ones are read.
    if (isLast) {
      beginRegistration(batch, { line, reader, dryRun, inFlight, setAnswer: answers.next() });
      reader = undefined;
      bytesSinceYield += lineBytes;
    }

    // d. Other calls and the lines in flight run.
    await yieldIfDue();
  }
  await inFlight.done();
  // An incomplete line gets no answer.
  reader?.release(undefined);
}

interface CompleteLine {
  readonly line: number;
  readonly reader: LineReader;
  readonly dryRun: DryRunMode;
  readonly inFlight: InFlight;
  readonly setAnswer: (text: string) => void;
}

/** Begins the registration of a line, after earlier lines with its reference. */
function beginRegistration(batch: Batch, { line, reader, dryRun, inFlight, setAnswer }: CompleteLine): void {
  const read = reader.end();
  const reference = read.kind === 'body' ? readReference(read.body) : undefined;
  inFlight.begin(reference, async () => {
    const answer = await registerLine(batch, read, dryRun);
    batch.deps.batchLines.inc({ status: answer.status });
    setAnswer(formatAnswerLine(line, answer));
    reader.release(answer.status);
  });
}

/** Registers one line. The caller is authenticated for each line: a token may expire during a batch. */
async function registerLine(
  { deps, request }: Batch,
  line: ReadLine,
  dryRun: DryRunMode,
): Promise<LineAnswer> {
  const { language } = request.call;
  try {
    const caller = await deps.authenticate(request.headers.authorization);
    assertScope(caller, 'collector:write');
    if (line.kind === 'refused') throw line.error;
    const { answer } = await registerBody(deps, line.body, { dryRun, caller, language });
    return { status: 200, body: answer };
  } catch (error) {
    return createFaultAnswer(error, { deps, request });
  }
}

/** Returns the reference as intake compares it; undefined where the line has none. */
function readReference({ fields: { referenceTransaction } }: SealedBody): string | undefined {
  const value = normalizeValue('referenceTransaction', referenceTransaction);
  return typeof value === 'string' ? value : undefined;
}

function createTooManyOpen(): AppError {
  return new AppError({
    code: 'RATE_LIMITED',
    text: createText('call.batchesTooMany'),
    retryAfterSeconds,
  });
}

function assertNdjson({ raw }: FastifyRequest): void {
  if (parseMediaType(raw.headers) === 'application/x-ndjson') return;
  throw new AppError({
    code: 'UNSUPPORTED_MEDIA_TYPE',
    text: createText('call.bodyNotNdjson'),
  });
}
