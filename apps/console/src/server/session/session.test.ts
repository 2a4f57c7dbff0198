import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRenewIfDue } from './renew-if-due.ts';
import { createSessionSeal, type Session } from './sealed-session.ts';
import { formatEndedSessionCookie, formatSessionCookie, readSession } from './session-cookie.ts';
import { toSignedInSession } from './signed-in-session.ts';

const now = 1_800_000_000_000;
const session: Session = {
  accessToken: 'access-1',
  accessEndsAtMs: now + 300_000,
  refreshToken: 'refresh-1',
  role: 'reviewer',
  email: 'ana@firmas.test',
  scope: 'full',
};

describe('a session cookie', () => {
  const [first, second] = [randomBytes(32), randomBytes(32)];

  it('opens by the key that sealed it, also once a newer key seals', () => {
    const text = createSessionSeal([first]).seal(session);
    expect(createSessionSeal([second, first]).open(text)).toEqual(session);
    expect(createSessionSeal([second]).open(text)).toBeUndefined();
  });

  it('that was changed in any byte opens nothing', () => {
    const seal = createSessionSeal([first]);
    const bytes = Buffer.from(seal.seal(session), 'base64url');
    for (const at of [0, 20, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(seal.open(changed.toString('base64url'))).toBeUndefined();
    }
  });

  it('tells nothing of what is in it, and is of this host, this origin and no script', () => {
    const seal = createSessionSeal([first]);
    const cookie = formatSessionCookie(session, seal);
    expect(cookie).toMatch(/^__Host-rubrica=[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain('access-1');
    expect(readSession(`other=1; ${cookie.split(';')[0]}`, seal)).toEqual(session);
    expect(formatEndedSessionCookie).toContain('Max-Age=0');
  });
});

describe('a session near the end of its access token', () => {
  const due = { ...session, accessEndsAtMs: now + 10_000 };

  it('is renewed once for all calls that are under way with it', async () => {
    const shown: (string | undefined)[] = [];
    const keepFresh = createRenewIfDue({
      renew: async ({ refreshToken }) => {
        shown.push(refreshToken);
        return { ...session, accessToken: 'access-2', refreshToken: 'refresh-2' };
      },
      nowMs: () => now,
    });
    const renewed = await Promise.all([keepFresh(due, {}), keepFresh(due, {}), keepFresh(due, {})]);
    expect((await keepFresh(due, {}))?.accessToken).toBe('access-2');
    expect(new Set(renewed.map((one) => one?.refreshToken))).toEqual(new Set(['refresh-2']));
    expect(shown).toEqual(['refresh-1']);
  });

  it('stays as it is where the gateway was not reached, and is renewed by a later call', async () => {
    let isAway = true;
    const keepFresh = createRenewIfDue({
      renew: async () => {
        if (isAway) throw new Error('away');
        return session;
      },
      nowMs: () => now,
    });
    await expect(keepFresh(due, {})).rejects.toThrow('away');
    isAway = false;
    expect(await keepFresh(due, {})).toBe(session);
  });

  it('has ended where its refresh token is refused, or it has none and the access token is over', async () => {
    const keepFresh = createRenewIfDue({ renew: async () => undefined, nowMs: () => now });
    expect(await keepFresh(due, {})).toBeUndefined();
    const { refreshToken: _, ...alone } = due;
    expect(await keepFresh(alone, {})).toEqual(alone);
    expect(await keepFresh({ ...alone, accessEndsAtMs: now }, {})).toBeUndefined();
  });
});

it('an answer with tokens begins a session, and loses them on the way to the browser', () => {
  const data = { accessToken: 'a', refreshToken: 'r', expiresIn: 60, role: 'admin', scope: 'full' };
  const begun = toSignedInSession(data, { email: 'ana@firmas.test', nowMs: now });
  expect(begun?.session).toMatchObject({ accessToken: 'a', refreshToken: 'r', accessEndsAtMs: now + 60_000 });
  expect(begun?.shown).toEqual({ expiresIn: 60, role: 'admin', scope: 'full' });
  expect(toSignedInSession({ challenge: 'code' }, { email: '', nowMs: now })).toBeUndefined();
});
