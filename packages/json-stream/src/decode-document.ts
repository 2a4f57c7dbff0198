import type { Decoded, DecodePlan, FileSink } from './decoded.ts';
import { createJsonDecoder } from './decoder.ts';

/**
 * Decodes a document that has arrived completely.
 * @throws JsonStreamError
 */
export function decodeDocument(bytes: Buffer, plan: DecodePlan): Decoded<Buffer> {
  const decoder = createJsonDecoder(plan, collectingSink);
  decoder.push(bytes);
  return decoder.end();
}

/** Creates a sink that collects the file itself. */
export function collectingSink(): FileSink<Buffer> {
  const blocks: Buffer[] = [];
  return {
    write: (block) => void blocks.push(Buffer.from(block)),
    end: () => Buffer.concat(blocks),
    drop: () => undefined,
  };
}
