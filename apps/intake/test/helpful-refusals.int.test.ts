import { disposeAfterAll } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { claimGround } from './support/claims.ts';
import { familyScene } from './support/family-scene.ts';
import { makeSimplified } from './support/plain-families.ts';

const ground = await disposeAfterAll(claimGround());

const { requests, register } = familyScene(() => ground, 'FS');
const messageOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'nothing was refused',
    (error: unknown) => (error as Error).message,
  );

it('a status that is asked of another family says which family has the request, and where', async () => {
  const fields = makeSimplified();
  const requestId = await register(fields);
  const reference = { referenceTransaction: String(fields.fields.referenceTransaction) };
  const told = /FS.*\/middleware\/simplified\/request\/status/;
  for (const family of ['TV', 'FR', 'FT', 'API'] as const) {
    expect(await messageOf(requests().status.query({ family, ...reference }))).toMatch(told);
    expect(await messageOf(requests().status.query({ family, requestId }))).toMatch(told);
    expect(await messageOf(requests().validationResults.query({ family, ...reference }))).toMatch(told);
  }
  expect(
    await messageOf(requests().status.query({ family: 'FS', referenceTransaction: 'nobody' })),
  ).not.toMatch(/family/);
});

it('a repeated reference whose body differs names what differs', async () => {
  const first = makeSimplified();
  await register(first);
  const { referenceTransaction } = first.fields;
  const again = (overrides: Record<string, string>) =>
    messageOf(requests().register.mutate(makeSimplified({ ...(first.fields as object), ...overrides })));
  expect(await again({})).toBe(
    `A request with referenceTransaction "${referenceTransaction}" already exists`,
  );
  expect(await again({ emailAddress: 'other@example.com', period: 'TWO_YEARS' })).toBe(
    `A request with referenceTransaction "${referenceTransaction}" already exists, with other values of emailAddress, period`,
  );
});
