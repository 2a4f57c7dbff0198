export { decodeDocument } from './decode-document.ts';
export type { Decoded, DecodePlan, FileSink, FileValue } from './decoded.ts';
export { createJsonDecoder, type JsonDecoder } from './decoder.ts';
export { JsonStreamError, type JsonStreamErrorCode } from './errors.ts';
export { releaseMemory } from './release-memory.ts';
