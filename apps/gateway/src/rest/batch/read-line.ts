import { type Allowance, tooLarge } from '@rubrica/process/bodies';
import { type AppError, toAppError } from '@rubrica/process/errors';
import type { BodyPlan, SealedBody } from '../../body/body.ts';
import type { OpenFileKeeper } from '../../body/files/keep-files.ts';
import { type CallFileCount, isRefusal } from '../../body/files/stored-files.ts';
import { createDocumentReader } from '../../body/read-json-body.ts';

/** Line as read: its body, or the error with which it is refused. */
export type ReadLine =
  | { readonly kind: 'body'; readonly body: SealedBody }
  | { readonly kind: 'refused'; readonly error: unknown };

/** One line, decoded while it arrives. */
export interface LineReader {
  /**
   * Adds a piece.
   * @returns what to await before reading more; undefined while it keeps up
   */
  push(piece: Buffer): Promise<void> | undefined;
  /** Returns the bytes of the line so far. */
  size(): number;
  /** Ends the line. It is refused with the same error as this body in a separate call. */
  end(): ReadLine;
  /**
   * Frees the line's memory and ends its files.
   * @param status HTTP status of the line's answer; undefined where it had none
   */
  release(status: number | undefined): void;
}

export interface LineDeps {
  readonly allowance: Allowance;
  readonly openFileKeeper: OpenFileKeeper;
  readonly stored: CallFileCount;
}

/**
 * Creates the reader of a line. A fault does not end the batch: the rest of the line is still counted, because its 413
 * precedes other faults.
 */
export function readLine(plan: BodyPlan, { allowance, openFileKeeper, stored }: LineDeps): LineReader {
  let taker: ReturnType<typeof createDocumentReader> | undefined = createDocumentReader(plan, () =>
    openFileKeeper(stored),
  );
  let fault: AppError | undefined;
  let size = 0;
  let heldBytes = 0;
  const setHeldBytes = (bytes: number) => {
    if (bytes > heldBytes) allowance.take(bytes - heldBytes);
    if (bytes < heldBytes) allowance.give(heldBytes - bytes);
    heldBytes = bytes;
  };
  const refuse = (error: unknown) => {
    fault = toAppError(error);
    taker = undefined;
    setHeldBytes(0);
  };
  return {
    push(piece) {
      size += piece.length;
      if (size > plan.maxBytes && fault?.code !== 'BODY_TOO_LARGE') refuse(tooLarge(plan.maxBytes));
      if (taker === undefined) return undefined;
      try {
        taker.push(piece);
        setHeldBytes(taker.heldBytes());
        return taker.pause?.()?.catch(refuse);
      } catch (error) {
        refuse(error);
        return undefined;
      }
    },
    size: () => size,
    end() {
      if (taker === undefined) return { kind: 'refused', error: fault };
      try {
        return { kind: 'body', body: taker.end() };
      } catch (error) {
        return { kind: 'refused', error };
      }
    },
    release(status) {
      setHeldBytes(0);
      stored.end(status === undefined || isRefusal(status));
    },
  };
}
