import { type Allowance, type AppError, toAppError, tooLarge } from '@rubrica/process';
import type { BodyPlan, SealedBody } from '../../../body/body.ts';
import { type CallsFiles, isRefusal } from '../../../body/files/stored-files.ts';
import { type OpenFiles, takeDocument } from '../../../body/read-json-body.ts';

/** One line, taken apart while it arrives. */
export interface LineReader {
  /** @returns what to wait for before more is read; undefined while it keeps up */
  push(piece: Buffer): Promise<void> | undefined;
  /** Of the line as far as it has come, bytes. */
  size(): number;
  /** @throws AppError what the same body would be refused with by itself */
  end(): SealedBody;
  /**
   * Frees the line's memory and ends its files.
   * @param status HTTP status of the line's answer; undefined where it had none
   */
  release(status: number | undefined): void;
}

export interface LineDeps {
  readonly allowance: Allowance;
  readonly openFiles: OpenFiles;
  readonly stored: CallsFiles;
}

/** A fault does not end the batch: what is left of the line is counted, as its 413 goes before other faults. */
export function readLine(plan: BodyPlan, { allowance, openFiles, stored }: LineDeps): LineReader {
  let taker: ReturnType<typeof takeDocument> | undefined = takeDocument(plan, () => openFiles(stored));
  let fault: AppError | undefined;
  let size = 0;
  let held = 0;
  const hold = (bytes: number) => {
    if (bytes > held) allowance.take(bytes - held);
    if (bytes < held) allowance.give(held - bytes);
    held = bytes;
  };
  const refuse = (error: unknown) => {
    fault = toAppError(error);
    taker = undefined;
    hold(0);
  };
  return {
    push(piece) {
      size += piece.length;
      if (size > plan.maxBytes && fault?.code !== 'BODY_TOO_LARGE') refuse(tooLarge(plan.maxBytes));
      if (taker === undefined) return undefined;
      try {
        taker.push(piece);
        hold(taker.heldBytes());
        return taker.pause?.()?.catch(refuse);
      } catch (error) {
        refuse(error);
        return undefined;
      }
    },
    size: () => size,
    end() {
      if (taker === undefined) throw fault;
      return taker.end();
    },
    release(status) {
      hold(0);
      stored.end(status === undefined || isRefusal(status));
    },
  };
}
