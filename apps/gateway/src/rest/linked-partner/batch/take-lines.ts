import { setImmediate as nextTurn } from 'node:timers/promises';
import { giveBack } from '@rubrica/json-stream';
import { bodyPlan } from '../../../body/body-plan.ts';
import { listCallerKeys, nameOf } from '../../../http/caller-keys.ts';
import { evidenceFilePlace } from '../../evidence/check-evidences.ts';
import { readDryRun } from '../../requests/dry-run.ts';
import { admit } from './admit.ts';
import { bodyOf, createRegisterLine, lineOf, referenceOf, refusedOverflow } from './answer-line.ts';
import { createOrderedAnswers } from './answers.ts';
import type { Batch } from './batch.ts';
import { createInFlight } from './in-flight.ts';
import { type LineReader, readLine } from './read-line.ts';
import { createLineSplitter, type LinePiece } from './split-lines.ts';

/** Of one batch at once: enough for intake to write several in one go, few enough that other calls come between. */
const mostInFlight = 64;
/** A line up to here takes no turns, as a body of its own does not. */
const turnFreeBytes = 256 * 1024;
/** Lines in flight wait while lines are read: after so many bytes they get a turn of the event loop. */
const atOnceBytes = 128 * 1024;
/** What a line costs beside its bytes. */
const lineBytes = 16 * 1024;

/** The lines of one batch, from their bytes to their answers. */
export interface Lines {
  readonly answers: NodeJS.ReadableStream;
  /** Fires when no more lines are taken. */
  readonly stop: AbortSignal;
  take(chunk: Buffer): Promise<void>;
  endOfBody(): Promise<void>;
  /** Waits for the lines in flight and ends the answers. */
  finish(): Promise<void>;
}

export function createLines({ deps, request, allowance }: Batch, outside: AbortSignal): Lines {
  const asked = readDryRun(request);
  const plan = asked.planOf(bodyPlan('registerLinkedPartnerBatch', deps.limits, [evidenceFilePlace]));
  const registerLine = createRegisterLine(deps, request, asked);
  const splitter = createLineSplitter();
  const answers = createOrderedAnswers();
  const inFlight = createInFlight(mostInFlight);
  const full = new AbortController();
  const stop = AbortSignal.any([outside, full.signal]);
  const { openFiles, storedFiles } = deps;
  const admitted = () => admit({ waitMs: () => deps.partnerWaitMs(request), stop });
  const turn = deps.turns.of(nameOf(listCallerKeys(request)));
  let open: LineReader | undefined;
  let sinceTurn = 0;
  let hasLines = false;

  const begin = async (line: number): Promise<LineReader | undefined> => {
    if (line > deps.limits.batchLines) {
      answers.next()(lineOf(line, refusedOverflow({ deps, request })));
      full.abort();
      return undefined;
    }
    hasLines = true;
    await inFlight.room();
    await admitted();
    return stop.aborted
      ? undefined
      : readLine(plan, { allowance, openFiles, stored: storedFiles.open(request) });
  };
  const register = (line: number, reader: LineReader) => {
    const fill = answers.next();
    const read = bodyOf(reader);
    inFlight.begin('body' in read ? referenceOf(read.body) : undefined, async () => {
      const answer = await registerLine(read);
      deps.batchLines.inc({ status: answer.status });
      fill(lineOf(line, answer));
      reader.release(answer.status);
    });
  };
  const takePiece = async ({ line, bytes, isLast }: LinePiece) => {
    open ??= await begin(line);
    if (open === undefined) return;
    if (open.size() > turnFreeBytes) await turn.take();
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
      if (!hasLines) await admitted();
    },
    async finish() {
      await inFlight.done();
      // Its end has not come, so nothing can be said of it.
      open?.release(undefined);
      answers.end();
    },
  };
}
