import type { Body, BodyPlan, ReadBody } from './body.ts';
import { assertJson } from './media-type.ts';
import { type ByteBudget, readPieces } from './read-bytes.ts';
import { createBodyDecoder } from './stream/decode-body.ts';

/** Takes a body apart while it arrives. */
export function createJsonBodyReader({ budget }: { budget: ByteBudget }): ReadBody {
  return async (request, plan) => {
    assertJson(request.headers);
    return readPieces(request, { maxBytes: plan.maxBytes, budget }, createBodyDecoder(plan));
  };
}

/** @throws AppError BODY_MALFORMED or BODY_TOO_LARGE */
export function parseBody(bytes: Buffer, plan: BodyPlan): Body {
  const decoder = createBodyDecoder(plan);
  decoder.push(bytes);
  return decoder.end();
}
