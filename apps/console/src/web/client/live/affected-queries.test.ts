import { expect, test } from 'vitest';
import { selectAffectedQueries } from './affected-queries.ts';

const keys = [
  ['reviews.queue', { limit: 50 }],
  ['reviews.get', { requestId: 'a' }],
  ['reviews.get', { requestId: 'b' }],
  ['requests.get', { requestId: 'a' }],
  ['partners.list', {}],
  ['session'],
] as const;
const found = (change: string) => {
  const { isConcerned } = selectAffectedQueries({ name: 'review.changed', data: { requestId: 'a', change } });
  return keys.filter(isConcerned);
};

test('an event concerns the pages of its request and the lists that the request is in', () => {
  expect(found('presence')).toEqual([keys[1]]);
  expect(found('assigned')).toEqual([keys[0], keys[1]]);
  expect(found('decided')).toEqual([keys[0], keys[1], keys[3]]);
  expect(found('of a newer release')).toEqual([]);
});
