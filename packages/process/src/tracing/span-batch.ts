import { type Attributes, exportEnd, exportStart } from './otlp.ts';

/** A request costs the processor a millisecond, whatever its size. */
const maxSpans = 2_048;
const maxBytes = 1024 * 1024;
/** Of one UTF-16 unit in UTF-8. */
const maxUnitBytes = 3;
const comma = 0x2c;

export type SpanBatch = {
  readonly count: number;
  /** As many as a request holds; it may have no room before. */
  readonly isFull: boolean;
  /** Whether it still had room for it. */
  add(span: string): boolean;
  /** The body of the request. Nothing is added after it. */
  toBody(): Buffer;
};

/**
 * One request to the collector, written as its spans end: hundreds of strings that wait to be joined would outlive
 * several collections of garbage, which costs more than making them.
 */
export function createSpanBatch(resource: Attributes): SpanBatch {
  const bytes = Buffer.allocUnsafeSlow(maxBytes);
  let length = bytes.write(exportStart(resource));
  let count = 0;
  return {
    get count() {
      return count;
    },
    get isFull() {
      return count === maxSpans;
    },
    add(span) {
      const mostBytes = 1 + span.length * maxUnitBytes + exportEnd.length;
      if (count === maxSpans || length + mostBytes > maxBytes) return false;
      if (count > 0) length = bytes.writeUInt8(comma, length);
      length += bytes.write(span, length);
      count += 1;
      return true;
    },
    toBody() {
      const end = length + bytes.write(exportEnd, length);
      return bytes.subarray(0, end);
    },
  };
}
