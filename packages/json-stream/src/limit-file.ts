import type { DecodePlan, FileSink } from './decoded.ts';
import { JsonStreamError } from './errors.ts';
import type { FileWriter } from './found-file.ts';

export interface LimitOptions<File> {
  readonly place: string;
  readonly plan: Pick<DecodePlan, 'maxBytesOf'>;
  readonly sink: FileSink<File>;
  readonly done: (file: File) => void;
}

/** Octets that reveal the kind of a file. Blocks are longer, except those of a text that is mostly white space. */
const headBytes = 1_024;

/**
 * Passes a file on, up to the maximum size of its kind.
 * @throws JsonStreamError FILE_TOO_LARGE
 */
export function limitFile<File>({ place, plan, sink, done }: LimitOptions<File>): FileWriter {
  let size = 0;
  let maxBytes: number | undefined;
  let head: Buffer = Buffer.alloc(0);

  const pass = (block: Uint8Array) => {
    maxBytes ??= plan.maxBytesOf(block);
    size += block.length;
    if (size > maxBytes) throw new JsonStreamError('FILE_TOO_LARGE', { place, maxBytes });
    sink.write(block);
  };

  return {
    write(block) {
      if (maxBytes !== undefined) return pass(block);
      if (head.length === 0 && block.length >= headBytes) return pass(block);
      head = Buffer.concat([head, block]);
      if (head.length >= headBytes) pass(head);
    },
    end(isFile) {
      if (!isFile) return sink.drop();
      if (maxBytes === undefined && head.length > 0) pass(head);
      done(sink.end());
    },
  };
}
