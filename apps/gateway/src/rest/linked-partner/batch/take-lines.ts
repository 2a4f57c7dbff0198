import { setImmediate as nextTurn } from 'node:timers/promises';
import { releaseMemory } from '@rubrica/json-stream';
import { createOperationBodyPlan } from '../../../body/body.ts';
import { callerName, listCallerKeys } from '../../../http/caller-keys.ts';
import { evidenceFilePath } from '../../evidence/check-evidences.ts';
import { readDryRun } from '../../requests/dry-run.ts';
import { admit } from './admit.ts';
import {
  createOverflowAnswer,
  createRegisterLine,
  formatAnswerLine,
  readBodyOfLine,
  readReference,
} from './answer-line.ts';
import { createOrderedAnswers } from './answers.ts';
import type { Batch } from './batch.ts';
import { createInFlight } from './in-flight.ts';
import { type LineReader, readLine } from './read-line.ts';
import { createLineSplitter, type LinePiece } from './split-lines.ts';

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

/** Lines of one batch, from their bytes to their answers. */
export interface Lines {
  readonly answers: NodeJS.ReadableStream;
  /** Fires when no more lines are accepted. */
  readonly stop: AbortSignal;
  take(chunk: Buffer): Promise<void>;
  endOfBody(): Promise<void>;
  /** Waits for the lines in flight and ends the answers. */
  finish(): Promise<void>;
}

export function createLines({ deps, request, allowance }: Batch, outside: AbortSignal): Lines {
  const dryRun = readDryRun(request);
  const plan = dryRun.planOf(
    createOperationBodyPlan('registerLinkedPartnerBatch', deps.limits, [evidenceFilePath]),
  );
  const registerLine = createRegisterLine(deps, request, dryRun);
  const splitter = createLineSplitter();
  const answers = createOrderedAnswers();
  const inFlight = createInFlight(maxInFlight);
  const limitReached = new AbortController();
  const stop = AbortSignal.any([outside, limitReached.signal]);
  const { openFileKeeper, storedFiles } = deps;
  const waitForAdmission = () => admit({ waitMs: () => deps.partnerWaitMs(request), stop });
  const turn = deps.turns.of(callerName(listCallerKeys(request)));
  let open: LineReader | undefined;
  let bytesSinceYield = 0;
  let hasLines = false;

  const begin = async (line: number): Promise<LineReader | undefined> => {
    if (line > deps.limits.batchLines) {
      answers.next()(formatAnswerLine(line, createOverflowAnswer({ deps, request })));
      limitReached.abort();
      return undefined;
    }
    hasLines = true;
    await inFlight.room();
    await waitForAdmission();
    return stop.aborted
      ? undefined
      : readLine(plan, { allowance, openFileKeeper, stored: storedFiles.open(request) });
  };
  const register = (line: number, reader: LineReader) => {
    const setAnswer = answers.next();
    const read = readBodyOfLine(reader);
    inFlight.begin('body' in read ? readReference(read.body) : undefined, async () => {
      const answer = await registerLine(read);
      deps.batchLines.inc({ status: answer.status });
      setAnswer(formatAnswerLine(line, answer));
      reader.release(answer.status);
    });
  };
  const takePiece = async ({ line, bytes, isLast }: LinePiece) => {
    open ??= await begin(line);
    if (open === undefined) return;
    if (open.size() > unscheduledBytes) await turn.take();
    const wait = open.push(bytes);
    if (wait !== undefined) await wait;
    bytesSinceYield += bytes.length;
    if (isLast) {
      register(line, open);
      open = undefined;
      bytesSinceYield += lineBytes;
    }
    if (bytesSinceYield < yieldAfterBytes) return;
    bytesSinceYield = 0;
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
      releaseMemory(chunk);
    },
    async endOfBody() {
      await takeAll(splitter.end());
      // A call without lines counts as one call.
      if (!hasLines) await waitForAdmission();
    },
    async finish() {
      await inFlight.done();
      // The line is incomplete, so it gets no answer.
      open?.release(undefined);
      answers.end();
    },
  };
}
