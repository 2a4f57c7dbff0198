import { expect, test } from 'vitest';
import { readAnswerPlan } from './answer-plan.ts';

test('unless told otherwise every call is taken at once', () => {
  expect(readAnswerPlan({})).toEqual({ steps: [{ status: 204 }], delayMs: 0 });
});

test('a sequence mixes statuses and faults', () => {
  expect(readAnswerPlan({ answer: '500, hang,gone,204', delay: '250' })).toEqual({
    steps: [{ status: 500 }, 'hang', { status: 410 }, { status: 204 }],
    delayMs: 250,
  });
});

test('Retry-After alone means 503, and in a sequence it goes with refusals only', () => {
  expect(readAnswerPlan({ 'retry-after': '5' }).steps).toEqual([
    { status: 503, headers: { 'retry-after': '5' } },
  ]);
  expect(readAnswerPlan({ answer: '429,hang,204', 'retry-after': '5' }).steps).toEqual([
    { status: 429, headers: { 'retry-after': '5' } },
    'hang',
    { status: 204 },
  ]);
});

test('a redirect keeps method and body', () => {
  expect(readAnswerPlan({ redirect: 'http://127.0.0.1:9/a b' }).steps).toEqual([
    { status: 307, headers: { location: 'http://127.0.0.1:9/a%20b' } },
  ]);
});

test.each([
  [{ answer: '500', hang: true }, '--answer and --hang exclude each other'],
  [{ drip: true, gone: true }, '--answer hang,500,204'],
  [{ answer: '' }, 'got ""'],
  [{ answer: '100' }, 'from 200 to 599'],
  [{ answer: '500;200' }, 'divided by commas'],
  [{ redirect: 'over there' }, 'takes an address'],
  [{ delay: '-1' }, 'from 0 to 600000'],
  [{ delay: '600001' }, 'from 0 to 600000'],
  [{ 'retry-after': 'soon' }, 'got "soon"'],
  [{ 'retry-after': '5', answer: '204' }, 'goes with a refusal'],
])('%j is refused with what would be right', (values, words) => {
  expect(() => readAnswerPlan(values)).toThrow(words);
});
