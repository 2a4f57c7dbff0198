import fc from 'fast-check';

/** Texts that have broken programs before: NUL, controls, halves of surrogate pairs, other scripts, great length. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 60 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\u202e',
    '__proto__',
    'constructor',
    'toString',
    "'; drop table request; --",
    '{{7*7}}',
    '../../etc/passwd',
    '\r\nX-Injected: 1',
    '=CMD()',
    'ﷺ'.repeat(50),
    'x'.repeat(5_000),
    '9'.repeat(400),
    'rpc.v2.intake.>',
  ),
);

/** JSON nested deeper than a recursion should follow. */
export const deeplyNested: fc.Arbitrary<string> = fc
  .tuple(fc.integer({ min: 50, max: 20_000 }), fc.constantFrom(['[', ']'], ['{"a":', '}']))
  .map(([depth, [open = '', close = '']]) => `${open.repeat(depth)}1${close.repeat(depth)}`);

const nestedValue = fc.integer({ min: 10, max: 500 }).map((depth) => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
});

/** A value of any kind in place of another. */
export const anyOddity: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  fc.constantFrom(null, true, false, 0, -1, 1e308, -0.5, 2 ** 53, [], {}, [null], [[]], { length: 3 }),
  fc.array(fc.oneof(fc.integer({ min: -500, max: 500 }), oddText), { maxLength: 30 }),
  fc.dictionary(oddText, fc.oneof(oddText, fc.integer()), { maxKeys: 5 }),
  fc.array(
    fc.record(
      { evidenceFile: fc.oneof(oddText, fc.array(fc.integer()), fc.integer()), validatorUrl: oddText },
      { requiredKeys: [] },
    ),
    { maxLength: 25 },
  ),
  nestedValue,
);
