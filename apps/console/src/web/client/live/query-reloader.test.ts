import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryReloader } from './query-reloader.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const event = { name: 'review.changed', data: { requestId: 'a', change: 'assigned' } };

/** A queue that is in the cache, and how often it was found to be out of date. */
function queueInCache() {
  const queries = new QueryClient();
  const asked: unknown[] = [];
  queries.setQueryData(['reviews.queue', {}], 'before');
  queries.setQueryData(['partners.list', {}], 'before');
  queries.getQueryCache().subscribe(({ type, query, ...rest }) => {
    if (type === 'updated' && 'action' in rest && rest.action.type === 'invalidate') {
      asked.push(query.queryKey[0]);
      // As after an answer: else it stays out of date, and nothing more is to be seen.
      queries.setQueryData(query.queryKey, 'after');
    }
  });
  return { refresh: createQueryReloader(queries), asked };
}

test('an event is followed at once, and many within a second by one more question', async () => {
  const { refresh, asked } = queueInCache();
  for (let count = 0; count < 20; count++) refresh.after(event);
  expect(asked).toEqual(['reviews.queue']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual(['reviews.queue', 'reviews.queue']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(2);
});

test('after a break all is asked that events could have told of', () => {
  const { refresh, asked } = queueInCache();
  refresh.all();
  expect(asked).toEqual(['reviews.queue']);
});

test('nothing is asked once it was stopped', async () => {
  const { refresh, asked } = queueInCache();
  refresh.after(event);
  refresh.after(event);
  refresh.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(1);
});
