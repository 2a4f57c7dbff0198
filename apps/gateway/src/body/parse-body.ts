import type { FileSink } from '../evidence/seal-files.ts';
import type { Body, BodyPlan } from './body.ts';
import { createBodyDecoder } from './stream/decode-body.ts';

/** Takes a body apart that has arrived; its files stay in the clear. @throws AppError BODY_MALFORMED, BODY_TOO_LARGE */
export function parseBody(bytes: Buffer, plan: BodyPlan): Body<Buffer> {
  const decoder = createBodyDecoder(plan, collectingSink);
  decoder.push(bytes);
  return decoder.end();
}

/** For whoever wants the file itself. */
export function collectingSink(): FileSink<Buffer> {
  const blocks: Buffer[] = [];
  return {
    write: (block) => void blocks.push(Buffer.from(block)),
    end: () => Buffer.concat(blocks),
    drop: () => undefined,
  };
}
