import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { binding, headerOf, makeSealing, withHeader } from '../../../test/sealing.ts';
import { KeyringError } from '../keyring-error.ts';

afterEach(() => void vi.useRealTimers());

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n"{}é';

/** Reproducible: a mutation that gets through must be found again (a linear congruential generator). */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function mutate(text: string, random: (below: number) => number): string {
  const at = random(text.length);
  const other = alphabet.charAt(random(alphabet.length));
  switch (random(6)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1);
    case 1:
      return text.slice(0, at) + other + text.slice(at);
    case 2:
      return text.slice(0, at);
    case 3: {
      const parts = text.split('.');
      return parts.with(random(5), parts[random(5)] ?? '').join('.');
    }
    default:
      return text.slice(0, at) + other + text.slice(at + 1);
  }
}

function faultOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof KeyringError) return error.fault;
    throw error;
  }
  return 'none';
}

describe('a sealed message', () => {
  it('has purpose and owner in its protected header, and both in crit', () => {
    const { seal, kid } = makeSealing();
    expect(headerOf(seal('x'))).toEqual({
      alg: 'ECDH-ES+A256KW',
      enc: 'A256GCM',
      kid,
      epk: { kty: 'OKP', crv: 'X25519', x: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) },
      pur: 'bundle',
      own: binding.owner,
      crit: ['pur', 'own'],
    });
  });

  it('is refused in 5,000 mutations, with faults of the keyring only', () => {
    const { seal, open } = makeSealing();
    const message = seal('what nobody else may read');
    const random = makeRandom(20_261);
    const counts: Record<string, number> = {};
    for (let done = 0; done < 5_000; ) {
      const mutation = mutate(message, random);
      if (mutation === message) continue;
      done += 1;
      const fault = faultOf(() => open(mutation, binding));
      counts[fault] = (counts[fault] ?? 0) + 1;
    }
    expect(counts).not.toHaveProperty('none');
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(5_000);
    expect(open(message, binding).toString()).toBe('what nobody else may read');
  });

  it('cannot be made of the parts of two messages under one agreed key', () => {
    const { seal, open } = makeSealing();
    const [one, other] = [seal('one').split('.'), seal('two').split('.')];
    for (const index of [1, 2, 3, 4]) {
      const mixed = one.with(index, other[index] ?? '').join('.');
      expect(faultOf(() => open(mixed, binding))).toBe('not-authentic');
    }
  });

  it.each([
    '',
    'a.b.c',
    '....',
    '.....',
    'e30.a.b.c.d',
    'bnVsbA..AAAAAAAAAAAAAAAA..AAAAAAAAAAAAAAAAAAAAAA',
    'W10.AAAA.AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA',
    '🙂.🙂.🙂.🙂.🙂',
    '.'.repeat(100_000),
    `${'A'.repeat(100_000)}.A.A.A.A`,
  ])('is refused as malformed where it is %.40j', (text) => {
    expect(faultOf(() => makeSealing().open(text, binding))).toBe('malformed');
  });

  it.each<[string, (header: ReturnType<typeof headerOf>) => unknown]>([
    ['an additional member', (header) => ({ ...header, zip: 'DEF' })],
    ['party info', (header) => ({ ...header, apu: 'QWxpY2U' })],
    ['a private key beside the ephemeral one', (header) => ({ ...header, epk: { ...header.epk, d: 'AA' } })],
    ['a key of another curve', (header) => ({ ...header, epk: { ...header.epk, crv: 'X448' } })],
    ['no ephemeral key', ({ epk: _, ...header }) => header],
    ['a purpose that is not in the list', (header) => ({ ...header, pur: 'anything' })],
    ['no purpose', ({ pur: _, ...header }) => header],
    ['no owner', ({ own: _, ...header }) => header],
    ['an empty owner', (header) => ({ ...header, own: '' })],
    ['an owner that is no text', (header) => ({ ...header, own: ['a'] })],
    ['no crit', ({ crit: _, ...header }) => header],
    ['half of crit', (header) => ({ ...header, crit: ['pur'] })],
    ['crit with a member that is not there', (header) => ({ ...header, crit: ['pur', 'own', 'exp'] })],
    ['the algorithm of the message that it likes', (header) => ({ ...header, alg: 'dir' })],
    ['no algorithm', (header) => ({ ...header, alg: 'none' })],
    ['a list', (header) => [header]],
    ['text that is not JSON', () => '{"alg":'],
  ])('is refused as malformed with %s in its header', (_what, change) => {
    const { seal, open } = makeSealing();
    const message = seal('x');
    expect(faultOf(() => open(withHeader(message, change(headerOf(message))), binding))).toBe('malformed');
  });

  it('is refused as of an unknown key where nobody here has that key', () => {
    const { seal, open } = makeSealing();
    const message = seal('x');
    const renamed = withHeader(message, { ...headerOf(message), kid: 'intake-enc-2' });
    expect(faultOf(() => open(renamed, binding))).toBe('unknown-key');
  });

  it('is refused where purpose or owner were changed to what is asked for', () => {
    const { seal, open } = makeSealing();
    const message = seal('x', { purpose: 'claim-link', owner: 'another' });
    expect(faultOf(() => open(message, binding))).toBe('other-binding');
    const renamed = withHeader(message, { ...headerOf(message), pur: binding.purpose, own: binding.owner });
    expect(faultOf(() => open(renamed, binding))).toBe('not-authentic');
  });

  // RFC 7748 §6.1, points of small order (and their forms that are not reduced).
  it.each([
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000000',
    'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
    '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  ])('is refused under the low-order point %s', (point) => {
    const { seal, open } = makeSealing();
    const message = seal('x');
    const header = headerOf(message);
    const x = Buffer.from(point, 'hex').toString('base64url');
    const forged = withHeader(message, { ...header, epk: { ...header.epk, x } });
    expect(faultOf(() => open(forged, binding))).toBe('not-authentic');
  });
});

describe('an agreed key', () => {
  it('serves many messages, each with a content key and a nonce of its own', () => {
    const { seal } = makeSealing();
    const messages = Array.from({ length: 50 }, () => seal('the same').split('.'));
    const distinct = (index: number) => new Set(messages.map((parts) => parts[index])).size;
    expect([0, 1, 2, 3, 4].map(distinct)).toEqual([1, 50, 50, 50, 50]);
  });

  it('is replaced after five minutes, and by each sender', () => {
    const { seal, newSealer, clock, open } = makeSealing();
    const epkOf = (message: string) => headerOf(message).epk.x;
    const first = seal('x');
    clock.nowMs += 5 * MINUTE_MS - 1;
    expect(epkOf(seal('x'))).toBe(epkOf(first));
    expect(epkOf(newSealer()('x'))).not.toBe(epkOf(first));
    clock.nowMs += 1;
    const later = seal('x');
    expect(epkOf(later)).not.toBe(epkOf(first));
    // What is stored is opened long after its key was agreed.
    clock.nowMs += 1_000 * MINUTE_MS;
    expect(open(first, binding).toString()).toBe('x');
    expect(open(later, binding).toString()).toBe('x');
  });

  it('leaves memory after five minutes though nothing is sealed any more', () => {
    vi.useFakeTimers();
    const { seal } = makeSealing();
    const first = headerOf(seal('x')).epk.x;
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(5 * MINUTE_MS);
    // The clock that sealing asks stands still here: the key went by the timer.
    expect(headerOf(seal('x')).epk.x).not.toBe(first);
  });

  it('is found again by whoever opens, however many senders there were meanwhile', () => {
    const { newSealer, open } = makeSealing();
    const messages = Array.from({ length: 300 }, (_, index) => newSealer()(`${index}`));
    for (const [index, message] of [...messages, ...messages].entries()) {
      expect(open(message, binding).toString()).toBe(`${index % 300}`);
    }
  });
});
