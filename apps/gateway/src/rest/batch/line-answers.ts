import { Readable } from 'node:stream';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process';
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

export function createOrderedAnswers(): OrderedAnswers {
  const slots: { text?: string }[] = [];
  const blocks: Buffer[] = [];
  let open: string[] = [];
  let openLength = 0;
  let isReaderWaiting = false;
  let hasEnded = false;

  const closeBlock = () => {
    const block = Buffer.from(open.join(''));
    open = [];
    openLength = 0;
    return block;
  };
  const sendAvailable = () => {
    while (isReaderWaiting && (blocks.length > 0 || open.length > 0)) {
      const [first] = blocks.splice(0, 1);
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
  const write = (text: string) => {
    open.push(text);
    openLength += text.length;
    if (isReaderWaiting) sendAvailable();
    else if (openLength >= blockBytes) blocks.push(deflateRawSync(closeBlock(), { level: 1 }));
  };
  return {
    stream,
    next() {
      const slot: { text?: string } = {};
      slots.push(slot);
      return (text) => {
        slot.text = text;
        for (let first = slots[0]; first?.text !== undefined; first = slots[0]) {
          slots.shift();
          write(first.text);
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
