import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import { claimView, createFakeClaim } from './support/fake-claims.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const gateway = await disposeAfterAll(testGateway());

beforeEach(() => {
  const { token: _token, ...fresh } = createFakeClaim();
  Object.assign(gateway.state.claim, fresh);
});

const picture = Buffer.from('a picture');
const logo = { type: 'image/webp', base64: picture.toString('base64') } as const;
const headers = { accept: 'text/html' };
function claim() {
  return gateway.state.claim;
}
function link(below = '', token = claim().token) {
  return `${gateway.url}/claim/${token}${below}`;
}

test('the logo comes as what it was judged to be, for an hour, and may do nothing', async () => {
  claim().logo = logo;
  const answer = await fetch(link('/logo'));
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'private, max-age=3600',
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
  });
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(picture);
});

test.each([
  ['a link whose partner has none', () => link('/logo')],
  ['a link that was never given out', () => link('/logo', 'a'.repeat(43))],
  ['what is no link', () => link('/logo', 'x')],
])('404 without a page: %s', async (_what, address) => {
  const answer = await fetch(address(), { headers });
  expect([answer.status, await answer.text()]).toEqual([404, '']);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('the first page shows it by the name of the partner, and lets pictures in nowhere else', async () => {
  claim().view = claimView({ hasLogo: true, partnerName: 'Banco "A" <B>' });
  const shown = await call(link(), { headers });
  expect(shown.text).toContain(
    `<img src="/claim/${claim().token}/logo" alt="Banco &quot;A&quot; &lt;B&gt;">`,
  );
  expect(shown.headers.get('content-security-policy')).toMatch(/; img-src 'self'$/);
  const other = await call(link('/not-me'), { headers });
  claim().view = claimView();
  for (const page of [other, await call(link(), { headers })]) {
    expect(page.text).not.toContain('<img');
    expect(page.headers.get('content-security-policy')).not.toContain('img-src');
  }
});

test.each([true, false])('a dead link shows it too, where there is one: %s', async (hasLogo) => {
  const token = 'd'.repeat(43);
  const dead = {
    reason: 'EXPIRED',
    partnerName: 'Banco',
    partnerEmail: 'b@b.example',
    renewableAt: null,
  } as const;
  claim().dead.set(token, { ...dead, hasLogo });
  const { text, headers: told } = await call(link('', token), { headers });
  expect(text.includes(`<img src="/claim/${token}/logo" alt="Banco">`)).toBe(hasLogo);
  expect(told.get('content-security-policy')?.includes("img-src 'self'")).toBe(hasLogo);
});
