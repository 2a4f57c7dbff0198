import type { DecodePlan, FileSink } from './decoded.ts';
import { JsonStreamError } from './errors.ts';
import type { FileWriter } from './found-file.ts';

export interface LimitOptions<File> {
  readonly place: string;
  readonly plan: Pick<DecodePlan, 'maxBytesOf'>;
  readonly sink: FileSink<File>;
  readonly done: (file: File) => void;
}

/** Passes a file on, no more of it than one of its kind may have. @throws JsonStreamError FILE_TOO_LARGE */
export function limitFile<File>({ place, plan, sink, done }: LimitOptions<File>): FileWriter {
  let size = 0;
  let maxBytes = 0;
  return {
    write(block) {
      if (size === 0) maxBytes = plan.maxBytesOf(block);
      size += block.length;
      if (size > maxBytes) throw new JsonStreamError('FILE_TOO_LARGE', { place, maxBytes });
      sink.write(block);
    },
    end(isFile) {
      if (isFile) done(sink.end());
      else sink.drop();
    },
  };
}
