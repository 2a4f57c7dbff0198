import { expect, test } from 'vitest';
import { CopiesError, parseCopies, serviceNames } from './services.ts';

test('services that are not named run once', () => {
  expect(parseCopies('intake=2, notifier=3')).toEqual({
    ...Object.fromEntries(serviceNames.map((name) => [name, 1])),
    intake: 2,
    notifier: 3,
  });
  expect(parseCopies(undefined).intake).toBe(1);
});

test.each(['intake', 'intake=0', 'intake=17', 'intake=-1', 'nobody=2', 'intake=two'])(
  '"%s" is refused with what is possible',
  (text) => {
    expect(() => parseCopies(text)).toThrow(CopiesError);
    expect(() => parseCopies(text)).toThrow(text);
  },
);

test('the gateway owns the public port and runs once', () => {
  expect(() => parseCopies('gateway=2')).toThrow('public port');
});
