import { AppError } from '@rubrica/service';
import type { Body, BodyPlan, ReadBody } from './body.ts';
import { assertJson } from './media-type.ts';
import { type ByteBudget, readPieces } from './read-bytes.ts';
import { type BodyDecoder, createBodyDecoder } from './stream/decode-body.ts';

/** Takes a body apart while it arrives. */
export function createJsonBodyReader({ budget }: { budget: ByteBudget }): ReadBody {
  return async (request, plan) => {
    assertJson(request.headers);
    return readPieces(request, { maxBytes: plan.maxBytes, budget }, unhurried(createBodyDecoder(plan)));
  };
}

/** @throws AppError BODY_MALFORMED or BODY_TOO_LARGE */
export function parseBody(bytes: Buffer, plan: BodyPlan): Body {
  const decoder = createBodyDecoder(plan);
  decoder.push(bytes);
  return decoder.end();
}

/** That a body is too large goes before what else is wrong with it, so the rest is still counted. */
function unhurried(decoder: BodyDecoder): BodyDecoder {
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
