import { AppError } from '@rubrica/process/errors';
import { expect, test } from 'vitest';
import { createProve } from './prove.ts';

const id = '0197a000-0000-7000-8000-000000000001';
const operator = {
  kind: 'operator',
  operatorId: id,
  email: 'a@b.ec',
  role: 'admin',
  sealedToken: 'sealed',
} as const;

function setUp() {
  const state = { asked: [] as unknown[], nowMs: 0, failure: undefined as AppError | undefined };
  const prove = createProve({
    intake: {
      'tokens.forCall': async (input) => {
        state.asked.push(input);
        if (state.failure !== undefined) throw state.failure;
        return { callToken: `call token ${state.asked.length}` };
      },
    },
    monotonicMs: () => state.nowMs,
  });
  return { state, prove };
}

test('intake is shown what was shown at the door, and not asked for it', async () => {
  const { state, prove } = setUp();
  expect(await prove(operator, 'intake')).toBe('sealed');
  expect(state.asked).toEqual([]);
});

test('a call token serves a token and a receiver for 3 s, and is asked for once by many calls', async () => {
  const { state, prove } = setUp();
  const both = await Promise.all([prove(operator, 'terms'), prove(operator, 'terms')]);
  expect(both).toEqual(['call token 1', 'call token 1']);
  expect(await prove(operator, 'generation')).toBe('call token 2');
  expect(await prove({ ...operator, sealedToken: 'other' }, 'terms')).toBe('call token 3');
  state.nowMs = 2_999;
  expect(await prove(operator, 'terms')).toBe('call token 1');
  state.nowMs = 3_000;
  expect(await prove(operator, 'terms')).toBe('call token 4');
  expect(state.asked[0]).toEqual({ sealedToken: 'sealed', receiver: 'terms' });
});

test('a refusal is passed on and not remembered', async () => {
  const { state, prove } = setUp();
  state.failure = new AppError({ code: 'UNAUTHENTICATED' });
  await expect(prove(operator, 'terms')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  state.failure = undefined;
  expect(await prove(operator, 'terms')).toBe('call token 2');
});

test('nothing is proven for who has shown nothing', () => {
  const { prove } = setUp();
  const { sealedToken: _, ...nobody } = operator;
  expect(() => prove(nobody, 'intake')).toThrow(/shown at the door/);
});
