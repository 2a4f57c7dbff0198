import { Readable } from 'node:stream';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Answers in the order in which their places were taken, whatever order they are made in. */
export interface OrderedAnswers {
  /** Never waits for its reader: a caller may send all of the batch before reading any of it. */
  readonly stream: Readable;
  /** Takes the next place. @returns what fills it */
  next(): (text: string) => void;
  /** No more come. */
  end(): void;
}

/** Answers that nobody has read yet are held in blocks of this size, compressed: they say much the same. */
const blockBytes = 64 * 1024;

export function createOrderedAnswers(): OrderedAnswers {
  const places: { text?: string }[] = [];
  const blocks: Buffer[] = [];
  let open: string[] = [];
  let openLength = 0;
  let isWanted = false;
  let hasEnded = false;

  const close = () => {
    const block = Buffer.from(open.join(''));
    open = [];
    openLength = 0;
    return block;
  };
  const send = () => {
    while (isWanted && (blocks.length > 0 || open.length > 0)) {
      const [first] = blocks.splice(0, 1);
      isWanted = stream.push(first === undefined ? close() : inflateRawSync(first));
    }
    if (isWanted && hasEnded) stream.push(null);
  };
  const stream = new Readable({
    read() {
      isWanted = true;
      send();
    },
  });
  const write = (text: string) => {
    open.push(text);
    openLength += text.length;
    if (isWanted) send();
    else if (openLength >= blockBytes) blocks.push(deflateRawSync(close(), { level: 1 }));
  };
  return {
    stream,
    next() {
      const place: { text?: string } = {};
      places.push(place);
      return (text) => {
        place.text = text;
        for (let first = places[0]; first?.text !== undefined; first = places[0]) {
          places.shift();
          write(first.text);
        }
      };
    },
    end() {
      hasEnded = true;
      send();
    },
  };
}
