import { createJsonDecoder, releaseMemory } from '@rubrica/json-stream';
import { type ByteBudget, type Pace, type PieceTaker, readPieces } from '@rubrica/process/bodies';
import { AppError } from '@rubrica/process/errors';
import { callerName, listCallerKeys } from '../http/caller-keys.ts';
import type { BodyPlan, BodyRequest, SealedBody } from './body.ts';
import { discardingKeeper, type FileKeeper, type OpenFileKeeper } from './files/keep-files.ts';
import { createFileSealer } from './files/seal-files.ts';
import type { StoredFiles } from './files/stored-files.ts';
import { assertJson } from './media-type.ts';
import { withDecodingErrors } from './refused-document.ts';
import type { WorkScheduler } from './work-scheduler.ts';

/**
 * Decodes a JSON body.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE or BODY_MALFORMED, in this precedence; RATE_LIMITED or
 * SERVICE_UNAVAILABLE without memory for it
 */
export type ReadJsonBody = (request: BodyRequest, plan: BodyPlan) => Promise<SealedBody>;

export interface JsonBodyDeps {
  readonly budget: ByteBudget;
  readonly pace: Pace;
  readonly workScheduler: WorkScheduler;
  readonly openFileKeeper: OpenFileKeeper;
  readonly storedFiles: Pick<StoredFiles, 'ofCall'>;
}

/** Creates a reader that decodes a body while it arrives; its files are uploaded before it has ended. */
export function createJsonBodyReader({
  budget,
  pace,
  workScheduler,
  openFileKeeper,
  storedFiles,
}: JsonBodyDeps): ReadJsonBody {
  return async (request, plan) => {
    const { raw } = request;
    assertJson(raw.headers);
    const keys = listCallerKeys(request);
    return readPieces<SealedBody>(
      raw,
      { maxBytes: plan.maxBytes, allowance: budget.of(keys), pace, turn: workScheduler.of(callerName(keys)) },
      deferMalformedError(createDocumentReader(plan, () => openFileKeeper(storedFiles.ofCall(request)))),
    );
  };
}

/** Creates a decoder of one JSON document; its files are uploaded before it has ended. */
export function createDocumentReader(plan: BodyPlan, openKeeper: () => FileKeeper): PieceTaker<SealedBody> {
  const keeper = plan.dropsFiles ? discardingKeeper : openKeeper();
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
