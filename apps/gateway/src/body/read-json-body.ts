import { createJsonDecoder, releaseMemory } from '@rubrica/json-stream';
import { AppError, type ByteBudget, type Pace, type PieceTaker, readPieces } from '@rubrica/process';
import { callerName, listCallerKeys } from '../http/caller-keys.ts';
import type { BodyPlan, ReadBody, SealedBody } from './body.ts';
import { discardingKeeper, type FileKeeper } from './files/keep-files.ts';
import { createFileSealer } from './files/seal-files.ts';
import type { CallFileCount, StoredFiles } from './files/stored-files.ts';
import { assertJson } from './media-type.ts';
import { withDecodingErrors } from './refused-document.ts';
import type { WorkScheduler } from './work-scheduler.ts';

export interface JsonBodyDeps {
  readonly budget: ByteBudget;
  readonly pace: Pace;
  readonly turns: WorkScheduler;
  readonly openFiles: OpenFiles;
  readonly storedFiles: Pick<StoredFiles, 'ofCall'>;
}

/** Opens the keeper of one call's files. */
export type OpenFiles = (stored: CallFileCount) => FileKeeper;

/** Creates a reader that decodes a body while it arrives; its files are uploaded before it has ended. */
export function createJsonBodyReader({
  budget,
  pace,
  turns,
  openFiles,
  storedFiles,
}: JsonBodyDeps): ReadBody {
  return async (request, plan) => {
    const { raw } = request;
    assertJson(raw.headers);
    const keys = listCallerKeys(request);
    return readPieces<SealedBody>(
      raw,
      { maxBytes: plan.maxBytes, allowance: budget.of(keys), pace, turn: turns.of(callerName(keys)) },
      deferMalformedError(createDocumentReader(plan, () => openFiles(storedFiles.ofCall(request)))),
    );
  };
}

/** Creates a decoder of one JSON document; its files are uploaded before it has ended. */
export function createDocumentReader(plan: BodyPlan, openFiles: () => FileKeeper): PieceTaker<SealedBody> {
  const keeper = plan.dropsFiles ? discardingKeeper : openFiles();
  const sealer = createFileSealer(keeper);
  const decoder = createJsonDecoder(plan, sealer.open);
  return {
    push: (chunk) => withDecodingErrors(() => decoder.push(chunk)),
    spent: releaseMemory,
    heldBytes: () => decoder.heldBytes() + keeper.heldBytes(),
    pause: keeper.pause,
    end: () => ({ ...withDecodingErrors(decoder.end), fileKey: sealer.key }),
  };
}

/** Defers a malformed error to the end: 413 has precedence, so a faulty body is still read completely and counted. */
function deferMalformedError<Result>(taker: PieceTaker<Result>): PieceTaker<Result> {
  let fault: AppError | undefined;
  return {
    push(chunk) {
      if (fault !== undefined) return;
      try {
        taker.push(chunk);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'BODY_MALFORMED') throw error;
        fault = error;
      }
    },
    ...(taker.spent && { spent: taker.spent }),
    heldBytes: taker.heldBytes,
    pause: () => (fault === undefined ? taker.pause?.() : undefined),
    end() {
      if (fault !== undefined) throw fault;
      return taker.end();
    },
  };
}
