import { checkCedula } from '@rubrica/ecuador';
import { describe, expect, it } from 'vitest';
import type { LivenessOrder } from './liveness.ts';
import { createSandboxLiveness, livenessExceptions } from './sandbox.ts';

function makeOrder(overrides: Partial<LivenessOrder> = {}): LivenessOrder {
  return {
    requestId: '01900000-0000-7000-8000-000000000001',
    attempt: 1,
    identificationNumber: '1710034065',
    selfie: { mediaType: 'image/png', content: Buffer.from('selfie') },
    signal: AbortSignal.abort(),
    ...overrides,
  };
}
function copy() {
  return createSandboxLiveness({
    clock: () => new Date('2026-11-21T12:00:00Z'),
    baseUrl: 'http://127.0.0.1:3000',
  });
}
async function sessionOf(order: LivenessOrder) {
  const ordered = await copy().createSession(order);
  if (ordered.outcome !== 'created') throw new Error(ordered.outcome);
  return ordered.session;
}
async function resultOf(order: LivenessOrder) {
  return copy().getResult({ ...order, sessionId: (await sessionOf(order)).sessionId });
}

describe('liveness in the sandbox', () => {
  it('has agreed outcomes only for well-formed cédulas', () => {
    for (const cedula of Object.keys(livenessExceptions))
      expect(checkCedula(cedula), cedula).toMatchObject({ ok: true });
  });

  it('passes whoever has no agreed outcome, without anybody opening the address', async () => {
    expect(await resultOf(makeOrder())).toMatchObject({
      outcome: 'found',
      result: { status: 'SUCCEEDED', failureReasons: [] },
    });
  });

  it.each([
    ['2450001603', 'LIVENESS_FAILED'],
    ['2450001702', 'SELFIE_MISMATCH'],
  ])('fails %s with %s, at every attempt', async (identificationNumber, reason) => {
    for (const attempt of [1, 2, 3])
      expect(await resultOf(makeOrder({ identificationNumber, attempt }))).toMatchObject({
        result: { status: 'FAILED', failureReasons: [reason] },
      });
  });

  it('gives one session to one attempt of one request, whichever copy is asked', async () => {
    const session = await sessionOf(makeOrder());
    expect(await sessionOf(makeOrder())).toEqual(session);
    expect(session).toMatchObject({
      livenessUrl: `http://127.0.0.1:3000/liveness/${session.sessionId}`,
      expiresAt: new Date('2026-11-21T12:15:00Z'),
    });
    expect((await sessionOf(makeOrder({ attempt: 2 }))).sessionId).not.toBe(session.sessionId);
  });

  it('knows no session of another request', async () => {
    const { sessionId } = await sessionOf(makeOrder({ requestId: '01900000-0000-7000-8000-000000000002' }));
    expect(await copy().getResult({ ...makeOrder(), sessionId })).toEqual({ outcome: 'not-found' });
  });
});
