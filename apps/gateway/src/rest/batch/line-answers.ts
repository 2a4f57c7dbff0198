import { Readable } from 'node:stream';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process/errors';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../../config.ts';
import { type AnswerFault, computeRetryAfter } from '../../http/send-error.ts';

/** Answers in the order in which they were reserved, whatever order they finish in. */
export interface OrderedAnswers {
  /** Stream that never blocks on its reader: a caller may send the whole batch before reading. */
  readonly stream: Readable;
  /**
   * Reserves the next answer.
   * @returns function that sets it
   */
  next(): (text: string) => void;
  /** Marks the end of the answers. */
  end(): void;
}

/** Block size of unread answers, which are compressed because they are similar. */
const blockBytes = 64 * 1024;

/** @param count counts the bytes that are held; negative for those that no longer are */
export function createOrderedAnswers(count: (bytes: number) => void): OrderedAnswers {
  const slots: { answer?: Buffer }[] = [];
  const blocks: Buffer[] = [];
  let open: Buffer[] = [];
  let openLength = 0;
  let isReaderWaiting = false;
  let hasEnded = false;

  const closeBlock = () => {
    const block = Buffer.concat(open);
    count(-openLength);
    open = [];
    openLength = 0;
    return block;
  };
  const sendAvailable = () => {
    while (isReaderWaiting && (blocks.length > 0 || open.length > 0)) {
      const [first] = blocks.splice(0, 1);
      if (first !== undefined) count(-first.length);
      isReaderWaiting = stream.push(first === undefined ? closeBlock() : inflateRawSync(first));
    }
    if (isReaderWaiting && hasEnded) stream.push(null);
  };
  const stream = new Readable({
    read() {
      isReaderWaiting = true;
      sendAvailable();
    },
  });
  const compressBlock = () => {
    // Copied, because the result is a view of a buffer of 16 KiB.
    const block = Buffer.from(deflateRawSync(closeBlock(), { level: 1 }));
    count(block.length);
    blocks.push(block);
  };
  const write = (answer: Buffer) => {
    open.push(answer);
    openLength += answer.length;
    if (isReaderWaiting) sendAvailable();
    else if (openLength >= blockBytes) compressBlock();
  };
  return {
    stream,
    next() {
      const slot: { answer?: Buffer } = {};
      slots.push(slot);
      return (text) => {
        slot.answer = Buffer.from(text);
        count(slot.answer.length);
        for (let first = slots[0]; first?.answer !== undefined; first = slots[0]) {
          slots.shift();
          write(first.answer);
        }
      };
    },
    end() {
      hasEnded = true;
      sendAvailable();
    },
  };
}

/** Answer to one line. */
export interface LineAnswer {
  readonly status: number;
  readonly retryAfter?: number;
  readonly body: object;
}

export function formatAnswerLine(line: number, { status, retryAfter, body }: LineAnswer): string {
  return `${JSON.stringify({ line, status, ...(retryAfter === undefined ? {} : { retryAfter }), body })}\n`;
}

interface AnsweredCall {
  readonly deps: { readonly answerFault: AnswerFault; readonly limits: GatewayConfig['limits'] };
  readonly request: FastifyRequest;
}

/** Creates the answer to a line that was refused or failed. */
export function createFaultAnswer(error: unknown, { deps, request }: AnsweredCall): LineAnswer {
  const { fault, status, body } = deps.answerFault(error, request);
  const seconds = computeRetryAfter(fault);
  return { status, body: body(), ...(seconds === undefined ? {} : { retryAfter: seconds }) };
}

/** Creates the answer to the first line beyond the limit. */
export function createOverflowAnswer(call: AnsweredCall): LineAnswer {
  const text = createText('call.batchTooLong', {
    count: call.deps.limits.batchLines,
  });
  return createFaultAnswer(new AppError({ code: 'BODY_TOO_LARGE', text }), call);
}
