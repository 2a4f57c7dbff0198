import { expect, it } from 'vitest';
import { currentContext, withContext } from './ambient-context.ts';
import {
  continueTrace,
  formatTraceparent,
  isSampledTrace,
  isTraceStart,
  newTraceparent,
  parseTraceparent,
  readSpanId,
  readTraceId,
} from './traceparent.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';

it('reads and writes a traceparent', () => {
  const text = `00-${trace}-${span}-01`;
  expect(parseTraceparent(text)).toEqual({ traceId: trace, spanId: span, sampled: true });
  expect(formatTraceparent({ traceId: trace, spanId: span, sampled: false })).toBe(`00-${trace}-${span}-00`);
  expect(readTraceId(text)).toBe(trace);
  expect(parseTraceparent(newTraceparent())?.sampled).toBe(true);
});

it.each([
  undefined,
  '',
  `00-${trace}-${span}`,
  `ff-${trace}-${span}-01`,
  `00-${'0'.repeat(32)}-${span}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${trace}-${span}-01-more`,
  `cc-${trace}-${span}-01more`,
])('ignores %j', (text) => {
  expect(parseTraceparent(text)).toBeUndefined();
});

it('takes a later version that says more', () => {
  expect(parseTraceparent(`cc-${trace}-${span}-01-more`)?.traceId).toBe(trace);
});

it('goes on with a trace that came, and begins one where what came is none', () => {
  const text = `00-${trace}-${span}-01`;
  expect(continueTrace(text)).toBe(text);
  for (const other of [undefined, 'no trace at all, and long enough to have a digit at that place: 1'])
    expect(parseTraceparent(continueTrace(other))).toBeDefined();
});

it('names no span above the first of a trace that begins here', () => {
  const begun = newTraceparent();
  expect(isTraceStart(begun)).toBe(true);
  expect(isTraceStart(`00-${trace}-${span}-01`)).toBe(false);
  expect(readSpanId(`00-${trace}-${span}-01`)).toBe(span);
});

it.each([
  ['00', false],
  ['01', true],
  ['02', false],
  ['03', true],
  ['0a', false],
  ['0b', true],
  ['10', false],
  ['fe', false],
  ['ff', true],
])('reads from the flags %s whether spans are kept', (flags, kept) => {
  const text = `00-${trace}-${span}-${flags}`;
  expect(isSampledTrace(text)).toBe(kept);
  expect(parseTraceparent(text)?.sampled).toBe(kept);
});

it('keeps the context of concurrent work apart', async () => {
  const seen = await Promise.all(
    ['a', 'b'].map((requestId) =>
      withContext({ requestId }, async () => {
        await new Promise(setImmediate);
        return currentContext()?.requestId;
      }),
    ),
  );
  expect(seen).toEqual(['a', 'b']);
  expect(currentContext()).toBeUndefined();
});
