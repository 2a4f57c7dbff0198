import { AppError } from '@rubrica/service';
import { createFileSealer } from '../evidence/seal-files.ts';
import type { ReadBody } from './body.ts';
import { assertJson } from './media-type.ts';
import { type ByteBudget, readPieces } from './read-bytes.ts';
import { type BodyDecoder, createBodyDecoder } from './stream/decode-body.ts';

/** Takes a body apart while it arrives. */
export function createJsonBodyReader({ budget }: { budget: ByteBudget }): ReadBody {
  return async (request, plan) => {
    assertJson(request.headers);
    const sealer = createFileSealer();
    const decoder = createBodyDecoder(plan, sealer.open);
    const body = await readPieces(request, { maxBytes: plan.maxBytes, budget }, unhurried(decoder));
    return { ...body, fileKey: sealer.key };
  };
}

/** That a body is too large goes before what else is wrong with it, so the rest is still counted. */
function unhurried<File>(decoder: BodyDecoder<File>): BodyDecoder<File> {
  let fault: AppError | undefined;
  return {
    push(chunk) {
      if (fault !== undefined) return 0;
      try {
        return decoder.push(chunk);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'BODY_MALFORMED') throw error;
        fault = error;
        return 0;
      }
    },
    end() {
      if (fault !== undefined) throw fault;
      return decoder.end();
    },
  };
}
