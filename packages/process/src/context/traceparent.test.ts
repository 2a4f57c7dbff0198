import { expect, it } from 'vitest';
import { currentContext, withContext } from './ambient-context.ts';
import { formatTraceparent, isKept, newTraceparent, parseTraceparent, traceIdOf } from './traceparent.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';

it('reads and writes a traceparent', () => {
  const text = `00-${trace}-${span}-01`;
  expect(parseTraceparent(text)).toEqual({ traceId: trace, spanId: span, sampled: true });
  expect(formatTraceparent({ traceId: trace, spanId: span, sampled: false })).toBe(`00-${trace}-${span}-00`);
  expect(traceIdOf(text)).toBe(trace);
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

it.each(['00', '01', '02', '03', '0a', '0b', '10', 'fe', 'ff'])(
  'tells of the flags %s whether spans are kept as it does who takes all apart',
  (flags) => {
    const text = `00-${trace}-${span}-${flags}`;
    expect(isKept(text)).toBe(parseTraceparent(text)?.sampled);
  },
);

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
