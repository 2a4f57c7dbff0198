import { describe, expect, it } from 'vitest';
import { createBrowserValue, formatBrowserCookie, readBrowserValue } from './browser-value.ts';

const value = createBrowserValue();
const other = createBrowserValue();

describe('the value of a browser that revokes', () => {
  it('is another each time', () => {
    expect(value).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(other).not.toBe(value);
  });

  it('under https is a cookie of this host alone', () => {
    expect(formatBrowserCookie(value, true)).toBe(
      `__Host-rubrica-revoke=${value}; Max-Age=900; Path=/; SameSite=Strict; Secure; HttpOnly`,
    );
    expect(formatBrowserCookie(value, false)).toBe(
      `rubrica-revoke=${value}; Max-Age=900; Path=/; SameSite=Strict; HttpOnly`,
    );
  });

  it.each([
    ['the form', { browser: value }, undefined, value],
    ['the form before the cookie', { browser: value }, `rubrica-revoke=${other}`, value],
    ['the cookie among others', {}, `a=b; rubrica-revoke=${value}; c=d`, value],
    ['the cookie, where the form has something else', { browser: 'x' }, `rubrica-revoke=${value}`, value],
    ['nothing', {}, undefined, undefined],
    ['what is no such value', { browser: `${value}x` }, 'rubrica-revoke=', undefined],
    ['a field that came twice', { browser: [value, value] }, undefined, undefined],
    ['a cookie of another host', {}, `__Host-rubrica-revoke=${value}`, undefined],
  ])('is read from %s', (_where, form, cookies, read) => {
    expect(readBrowserValue(form, { cookies, isSecure: false })).toBe(read);
  });
});
