import vectors from '@rubrica/contracts/webhook-vectors.json' with { type: 'json' };
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startReceiver } from './receiver.ts';

interface Vector {
  readonly name: string;
  readonly now: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** The library knows shared secrets alone, one at a time. */
const shared = <V extends Vector & { readonly verifyWith: readonly string[] }>(all: readonly V[]) =>
  all.flatMap((vector) =>
    vector.verifyWith
      .filter((secret) => secret.startsWith('whsec_'))
      .map((secret) => ({ ...vector, secret, alone: vector.verifyWith.length === 1 })),
  );
const takes = shared(vectors.valid);
const refuses = shared(vectors.invalid);

afterEach(() => void vi.useRealTimers());

/** Only the date: what the library compares with is the time of the vector, and timers go on. */
const at = ({ now }: Vector) => vi.useFakeTimers({ toFake: ['Date'], now: now * 1_000 });

describe('the Standard Webhooks library', () => {
  const verify = ({ secret, headers, body }: Vector & { secret: string }) =>
    new Webhook(secret).verify(body, headers as Record<string, string>);

  test.each(takes.filter(({ alone }) => alone))('takes $name', (vector) => {
    at(vector);
    expect(verify(vector)).toEqual(JSON.parse(vector.body));
  });

  test('takes a call by one at least of the secrets that a receiver holds', () => {
    const rotated = takes.filter(({ alone }) => !alone);
    const taken = rotated.filter((vector) => {
      at(vector);
      return isTaken(() => verify(vector));
    });
    expect([rotated.length, taken.length]).toEqual([2, 1]);
  });

  test.each(refuses)('refuses $name', (vector) => {
    at(vector);
    expect(() => verify(vector)).toThrow();
  });
});

function isTaken(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
}

describe("the test partner's receiver", () => {
  const fault = async (vector: Vector & { secret: string }) => {
    at(vector);
    await using receiver = await startReceiver(vector.secret);
    const given = Object.entries(vector.headers).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    );
    await fetch(receiver.url, { method: 'POST', body: vector.body, headers: given });
    return receiver.deliveries[0]?.signatureFault;
  };

  test.each(takes.filter(({ alone }) => alone))('finds no fault with $name', async (vector) => {
    expect(await fault(vector)).toBeUndefined();
  });

  test.each(refuses)('finds a fault with $name', async (vector) => {
    expect(await fault(vector)).toEqual(expect.any(String));
  });
});
