import { Readable } from 'node:stream';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

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
