import { uuidv7 } from '@rubrica/process';
import { pollFor } from '@rubrica/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOrder } from './support/orders.ts';
import { openScene, type Scene } from './support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ WORKER_SLOTS: '2' });
});
afterAll(() => scene?.[Symbol.asyncDispose]());

it('issues what stands in the first line before a backlog of 60, and then all of that', async () => {
  const { intake } = scene.env;
  const jobs = Array.from({ length: 60 }, () => ({ requestId: uuidv7(), attempt: 1 }));
  for (const job of jobs) intake.place(makeOrder(job));
  await Promise.all(jobs.map((job) => intake.publishInBacklog(job)));
  const event = await scene.order();
  const before = scene.log.events.indexOf(event);
  expect(event.subject).toBe('issued');
  expect(before).toBeLessThan(30);
  const ended = () => jobs.filter(({ requestId }) => scene.log.of(requestId).length > 0);
  await pollFor(async () => ended().length === jobs.length, { deadlineMs: 120_000 });
  expect(new Set(scene.log.events.map(({ subject }) => subject))).toEqual(new Set(['issued']));
});
