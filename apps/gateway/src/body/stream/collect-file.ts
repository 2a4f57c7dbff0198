import type { BodyPlan } from '../body.ts';
import { filesTooLarge, fileTooLarge } from '../file-too-large.ts';
import type { FileWriter } from './json-scanner.ts';

export interface CollectOptions {
  readonly place: string;
  readonly plan: Pick<BodyPlan, 'maxBytesOf'>;
  readonly onBlock: (bytes: number) => void;
  readonly done: (file: Buffer) => void;
}

/** Collects a file's blocks, no more of them than a file of its kind may have. @throws AppError FILE_TOO_LARGE */
export function collectFile({ place, plan, onBlock, done }: CollectOptions): FileWriter {
  const blocks: Buffer[] = [];
  let size = 0;
  let maxBytes = 0;
  return {
    write(block) {
      if (size === 0) maxBytes = plan.maxBytesOf(block);
      size += block.length;
      if (size > maxBytes) throw filesTooLarge([fileTooLarge(place, maxBytes)]);
      blocks.push(Buffer.from(block));
      onBlock(block.length);
    },
    end(isFile) {
      if (isFile) done(blocks.length === 1 ? (blocks[0] as Buffer) : Buffer.concat(blocks, size));
      blocks.length = 0;
    },
  };
}
