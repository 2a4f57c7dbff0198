import type { Decoded, DecodePlan, FileSink } from './decoded.ts';
import { createJsonDecoder } from './decoder.ts';

/** Takes a document apart that has arrived. @throws JsonStreamError */
export function decodeDocument(bytes: Buffer, plan: DecodePlan): Decoded<Buffer> {
  const decoder = createJsonDecoder(plan, collectingSink);
  decoder.push(bytes);
  return decoder.end();
}

/** Collects the file itself. */
export function collectingSink(): FileSink<Buffer> {
  const blocks: Buffer[] = [];
  return {
    write: (block) => void blocks.push(Buffer.from(block)),
    end: () => Buffer.concat(blocks),
    drop: () => undefined,
  };
}
