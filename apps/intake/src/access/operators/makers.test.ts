import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { describe, expect, it } from 'vitest';
import { areIndependent, organisationMaker } from './makers.ts';
import type { Maker } from './operator.entity.ts';

const now = new Date('2026-11-23T12:00:00Z');
const setup = { id: 'a', madeBy: [] };

function made(by: string, agoMs: number, action: Maker['action'] = 'invite') {
  return { id: 'b', madeBy: [{ operatorId: by, at: new Date(now.getTime() - agoMs).toISOString(), action }] };
}

describe('two administrators are two persons', () => {
  it.each([
    ['both were named at setup', { id: 'b', madeBy: [] }],
    ['a third one has invited the other', made('c', 0)],
    ['one has invited the other seven days ago', made('a', 7 * DAY_MS)],
    [
      'the organisation’s provider has promoted the other seven days ago',
      made(organisationMaker, 7 * DAY_MS),
    ],
  ])('where %s', (_what, other) => {
    expect(areIndependent(setup, other, now)).toBe(true);
    expect(areIndependent(other, setup, now)).toBe(true);
  });

  it.each([
    ['has invited the other', made('a', 7 * DAY_MS - 1)],
    ['has promoted the other', made('a', 0, 'promote')],
    ['has reset the other’s factors', made('a', DAY_MS, 'resetFactors')],
    ['has done so by a clock that is ahead', made('a', -DAY_MS)],
    ['is the other', { id: 'a', madeBy: [] }],
    [
      'was promoted at the organisation’s provider, by nobody knows whom',
      made(organisationMaker, DAY_MS, 'promote'),
    ],
  ])('but not where one %s', (_what, other) => {
    expect(areIndependent(setup, other, now)).toBe(false);
    expect(areIndependent(other, setup, now)).toBe(false);
  });
});
