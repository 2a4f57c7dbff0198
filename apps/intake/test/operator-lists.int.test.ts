import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshRequestId } from './support/fresh-evidence.ts';
import {
  asOperator,
  asPartner,
  makeRegistration,
  partnerIds,
  type RunningIntake,
  runningIntake,
} from './support/running-intake.ts';

let intake: RunningIntake;
const requestIds: string[] = [];

beforeAll(async () => {
  intake = await runningIntake();
  for (const key of ['sandbox', 'other', 'sandbox'] as const) {
    const requestId = freshRequestId();
    await intake.client(asPartner(key)).requests.register.mutate(makeRegistration({}, { requestId }));
    requestIds.unshift(requestId);
  }
});
afterAll(() => intake?.[Symbol.asyncDispose]());

const viewer = () => intake.operators(asOperator('viewer'));

describe('what operators list', () => {
  it('comes page by page, newest first: requests', async () => {
    const first = await viewer().requests.search.query({ limit: 2 });
    expect(first.items.map(({ requestId }) => requestId)).toEqual(requestIds.slice(0, 2));
    const cursor = first.nextCursor ?? '';
    const last = await viewer().requests.search.query({ limit: 2, cursor });
    expect(last.items.map(({ requestId }) => requestId)).toEqual(requestIds.slice(2));
    expect(last.nextCursor).toBeNull();
  });

  it('is of the partner that was asked for', async () => {
    const { items } = await viewer().requests.search.query({ partnerId: partnerIds.other });
    expect(items.map(({ requestId }) => requestId)).toEqual([requestIds[1]]);
  });

  it('comes page by page: partners', async () => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await viewer().partners.list.query({
        limit: 1,
        ...(cursor === undefined ? {} : { cursor }),
      });
      found.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found.toSorted()).toEqual(Object.values(partnerIds).toSorted());
  });

  it('begins at no cursor but one that a page gave', async () => {
    const refused = { data: { appCode: 'FIELD_INVALID' } };
    await expect(viewer().requests.search.query({ cursor: 'x' })).rejects.toMatchObject(refused);
    await expect(viewer().partners.list.query({ cursor: 'x' })).rejects.toMatchObject(refused);
  });
});
