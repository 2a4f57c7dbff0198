import { connectBus } from '@rubrica/bus';
import type { Message } from '@rubrica/contracts/messages/messages';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, it } from 'vitest';
import { fault, operatorsById, reviewGround } from './support/reviews.ts';

const leaseMs = 30_000;
const heard: Message<'events.review.changed'>[] = [];

const ground = await disposeAfterAll(reviewGround());
const { streams } = await ground.intake.ground.peer('gateway');
const bus = await disposeAfterAll(connectBus(streams));
bus.nc.subscribe('live.events.review.>', {
  callback: (error, message) => {
    if (error) throw error;
    heard.push(message.json());
  },
});
await bus.nc.flush();

beforeEach(() => void heard.splice(0));

function changesOf(requestId: string) {
  return heard.filter((one) => one.requestId === requestId).map(({ change }) => change);
}

/** Signals come in the order in which they were sent. */
function hears(requestId: string, changes: string[]) {
  return expect.poll(() => changesOf(requestId), { timeout: 30_000 }).toEqual(changes);
}

it('two reviewers on one case see each other, and that one has left', async () => {
  const requestId = await ground.waiting();
  const seenBy = async (key: 'reviewer' | 'reviewer2') =>
    (await ground.as(key).get.query({ requestId })).openedBy.map(({ operator }) => operator);
  expect(await seenBy('reviewer')).toEqual([]);
  await ground.as('reviewer').open.mutate({ requestId });
  const { openedBy } = await ground.as('reviewer2').open.mutate({ requestId });
  expect(openedBy.map(({ operatorId }) => operatorId)).toEqual([
    operatorsById.reviewer,
    operatorsById.reviewer2,
  ]);
  expect(await seenBy('reviewer')).toEqual(['reviewer@example.com', 'reviewer2@example.com']);
  // A page that says it again changes nothing for the others.
  await ground.as('reviewer').open.mutate({ requestId });
  const left = await ground.as('reviewer2').leave.mutate({ requestId });
  expect(left.openedBy.map(({ operator }) => operator)).toEqual(['reviewer@example.com']);
  await hears(requestId, ['waiting', 'presence', 'presence', 'presence']);
});

it('who says nothing more is gone after half a minute, and who goes on stays', async () => {
  const requestId = await ground.waiting();
  const { until } = await ground.as('reviewer').open.mutate({ requestId });
  await ground.as('reviewer2').open.mutate({ requestId });
  expect(Date.parse(until) - ground.clock().getTime()).toBeLessThanOrEqual(leaseMs);
  ground.pass(leaseMs - 1_000);
  await ground.as('reviewer2').open.mutate({ requestId });
  ground.pass(2_000);
  const { openedBy } = await ground.as('viewer').get.query({ requestId });
  expect(openedBy.map(({ operator }) => operator)).toEqual(['reviewer2@example.com']);
});

it('what is decided about a case is told as it happens, and nothing of the applicant', async () => {
  const requestId = await ground.waiting('other');
  await ground.as('reviewer').assign.mutate({ requestId });
  await ground.as('reviewer').approve.mutate({ requestId });
  await ground.as('reviewer2').approve.mutate({ requestId });
  await hears(requestId, ['waiting', 'assigned', 'decided', 'decided']);
  for (const one of heard) expect(Object.keys(one).toSorted()).toEqual(['change', 'requestId']);
});

it('nobody has open what is not there, and no viewer shows himself', async () => {
  await expect(ground.as('reviewer').open.mutate({ requestId: uuidv7() })).rejects.toMatchObject(
    fault('REQUEST_NOT_FOUND'),
  );
  await expect(ground.as('viewer').open.mutate({ requestId: uuidv7() })).rejects.toMatchObject(
    fault('FORBIDDEN'),
  );
});
