import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  ChallengeRefused,
  digestApproval,
  type ShownChange,
  verifyApprovalChallenge,
  verifySignInChallenge,
} from './approval-challenge.ts';

const shown: ShownChange = {
  change: {
    procedure: 'partners.update',
    input: { reviewPolicy: 'automatic', id: '01900000-0000-7000-8000-0000000000a1' },
  },
  before: { name: 'Ñandú 😀', quota: { b: 1.5, a: null }, version: '1 2026-11-28T00:00:00.000Z' },
};
/** Written by hand: another language has to find the same bytes. */
const canonical =
  '{"before":{"name":"Ñandú 😀","quota":{"a":null,"b":1.5},"version":"1 2026-11-28T00:00:00.000Z"},' +
  '"input":{"id":"01900000-0000-7000-8000-0000000000a1","reviewPolicy":"automatic"},"procedure":"partners.update"}';
const digest = createHash('sha256').update(canonical, 'utf8').digest();
const challenge = (start: Buffer, more = 16) =>
  Buffer.concat([start, Buffer.alloc(more, 0xfb)]).toString('base64url');

const changed = (change: Partial<ShownChange['change']>, before: ShownChange['before'] = shown.before) => ({
  change: { ...shown.change, ...change },
  before,
});

describe('the digest of a change', () => {
  it('is SHA-256 over the canonical JSON of procedure, input and record', async () => {
    expect(await digestApproval(shown)).toBe(digest.toString('hex'));
    expect(digest.toString('hex')).toBe('c4a6bb5f697fa9f71203e22d08c45fdbec4a33fa9094c60e4c4201afe9a13184');
  });

  it.each<[string, ShownChange, string]>([
    [
      'no record',
      { change: { procedure: 'a.b', input: {} }, before: null },
      '{"before":null,"input":{},"procedure":"a.b"}',
    ],
    [
      'undefined members, which JSON does not have',
      { change: { procedure: 'a.b', input: { x: undefined, y: [undefined, null] } }, before: {} },
      '{"before":{},"input":{"y":[null,null]},"procedure":"a.b"}',
    ],
    [
      'numbers in their shortest form',
      {
        change: { procedure: 'a.b', input: { n: [1.0, -0, 1e21, 1e-7, 0.1, 2 ** 53] } },
        before: null,
      },
      '{"before":null,"input":{"n":[1,0,1e+21,1e-7,0.1,9007199254740992]},"procedure":"a.b"}',
    ],
    [
      'members sorted by UTF-16 code units at every depth',
      {
        change: {
          procedure: 'a.b',
          input: { '\ufb33': 1, '😀': 2, z: { b: 1, a: [{ d: 1, c: 2 }] }, '10': 3, '9': 4 },
        },
        before: null,
      },
      '{"before":null,"input":{"10":3,"9":4,"z":{"a":[{"c":2,"d":1}],"b":1},"😀":2,"\ufb33":1},"procedure":"a.b"}',
    ],
    [
      'text with no more escapes than it needs, composed or not',
      { change: { procedure: 'a.b', input: { t: 'é e\u0301 / \u2028 " \\ \n \u0001' } }, before: null },
      `{"before":null,"input":{"t":"é e\u0301 / \u2028 \\" \\\\ \\n \\u0001"},"procedure":"a.b"}`,
    ],
  ])('of %s', async (_what, change, text) => {
    expect(await digestApproval(change)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
  });

  it('is the same whatever the order of members, and leaves out all that is not proposed', async () => {
    const { change, before } = shown;
    const input = Object.fromEntries(Object.entries(change.input).reverse());
    const received = { before, after: { role: 'viewer' }, change: { input, procedure: change.procedure } };
    expect(await digestApproval(received)).toBe(await digestApproval(shown));
  });

  it.each([
    ['another procedure', changed({ procedure: 'partners.create' })],
    ['another input', changed({ input: { ...shown.change.input, reviewPolicy: 'four-eyes' } })],
    ['a member more', changed({ input: { ...shown.change.input, enabled: null } })],
    ['another version of the record', changed({}, { ...shown.before, version: '2' })],
    ['no record', changed({}, null)],
  ])('is another one for %s', async (_what, other) => {
    expect(await digestApproval(other)).not.toBe(await digestApproval(shown));
  });
});

describe('a challenge for an approval', () => {
  it('is taken for the change that it starts with', async () => {
    await expect(verifyApprovalChallenge(shown, challenge(digest))).resolves.toBeUndefined();
  });

  it.each([
    ['of another change', challenge(createHash('sha256').update('other').digest())],
    [
      'that ends differently in its first 32 bytes',
      challenge(Buffer.concat([digest.subarray(0, 31), Buffer.of((digest[31] ?? 0) ^ 1)])),
    ],
    ['without the random bytes', challenge(digest, 0)],
    ['with fewer random bytes', challenge(digest, 15)],
    ['with more behind them', challenge(digest, 17)],
    ['that is empty', ''],
    ['that is no Base64url', `${challenge(digest)}=`],
    ['that is Base64url of an impossible length', 'A'],
  ])('is refused: one %s', async (_what, other) => {
    await expect(verifyApprovalChallenge(shown, other)).rejects.toThrow(ChallengeRefused);
  });
});

describe('a challenge for a sign-in', () => {
  it('has 32 bytes, and no other length: one that approves a change is refused', () => {
    expect(() => verifySignInChallenge(challenge(digest, 0))).not.toThrow();
    for (const other of [challenge(digest), challenge(digest.subarray(0, 31), 0), '', 'A', 'no base64url'])
      expect(() => verifySignInChallenge(other)).toThrow(ChallengeRefused);
  });
});
