import { expect, it } from 'vitest';
import { createReloadInterval } from './reload-interval.ts';
import { Failure } from './trpc.ts';

const paceOf = (data: unknown, error: Error | null = null) =>
  createReloadInterval(60_000)({ state: { data, error } });

it.each([
  ['names a service that did not answer', paceOf({ items: [], unanswered: ['terms'] })],
  ['came from no service', paceOf(undefined, new Failure('SERVICE_UNAVAILABLE', 'later'))],
  ['did not come', paceOf(undefined, new Failure('UNREACHABLE', 'no network'))],
])('asks again within seconds where the answer %s', (_, pace) => {
  expect(pace).toBe(5_000);
});

it.each([
  ['lacks nothing', paceOf({ items: [], unanswered: [] })],
  ['knows of no services', paceOf({ items: [] })],
  ['is not there yet', paceOf(undefined)],
  ['is a refusal', paceOf(undefined, new Failure('FORBIDDEN', 'no'))],
])('keeps its pace where the answer %s', (_, pace) => {
  expect(pace).toBe(60_000);
});
