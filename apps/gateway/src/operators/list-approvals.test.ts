import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { describe, expect, it } from 'vitest';
import { mergePages } from './list-approvals.ts';

type Item = OperatorOutput<'approvals.list'>['items'][number];

const idOf = (service: string, at: number) =>
  `${service}.01900000-0000-7000-8000-${String(at).padStart(12, '0')}`;
const waiting = (service: string, at: number) => ({ id: idOf(service, at) }) as Item;

/** What a service that keeps changes of these moments answers. */
function pageOf(service: string, moments: readonly number[], { cursor, limit }: Asked) {
  const before = cursor === null ? Number.POSITIVE_INFINITY : Number(cursor.slice(-12));
  const found = moments.filter((at) => at < before).sort((a, b) => b - a);
  const items = found.slice(0, limit).map((at) => waiting(service, at));
  return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
interface Asked {
  readonly cursor: string | null;
  readonly limit: number;
}

function walk(kept: Readonly<Record<string, readonly number[]>>, limit: number): string[] {
  const seen: string[] = [];
  for (let cursor: string | null = null, pages = 0; pages < 200; pages++) {
    const asked = { cursor, limit };
    const merged = mergePages(
      Object.entries(kept).map(([service, moments]) => pageOf(service, moments, asked)),
      limit,
    );
    expect(merged.items.length).toBeLessThanOrEqual(limit);
    seen.push(...merged.items.map(({ id }) => id));
    cursor = merged.nextCursor;
    if (cursor === null) return seen;
  }
  throw new Error('the pages never end');
}

const range = (count: number, from: number, step: number) =>
  Array.from({ length: count }, (_, index) => from + index * step);

describe('what waits in several services', () => {
  it.each([
    ['takes turns', { intake: range(20, 0, 3), generation: range(20, 1, 3), terms: range(20, 2, 3) }],
    ['stands apart', { intake: range(30, 0, 1), generation: range(30, 100, 1), terms: [] }],
    ['is nearly all in one', { intake: range(50, 0, 1), generation: [10_000], terms: [25_000] }],
    ['is nothing', { intake: [], generation: [], terms: [] }],
  ])('is shown whole, once and newest first, page by page, where it %s', (_what, kept) => {
    const all = Object.entries(kept)
      .flatMap(([service, moments]) => moments.map((at) => ({ id: idOf(service, at), at })))
      .sort((a, b) => b.at - a.at)
      .map(({ id }) => id);
    for (const limit of [1, 2, 7, 25, 100]) expect(walk(kept, limit)).toEqual(all);
  });

  it('goes on after a page of which a service has left everything out', () => {
    const next = idOf('terms', 5);
    const pages = [
      { items: [], nextCursor: next },
      { items: [waiting('intake', 9), waiting('intake', 3)], nextCursor: null },
    ];
    expect(mergePages(pages, 25)).toEqual({ items: [waiting('intake', 9)], nextCursor: next });
  });
});
