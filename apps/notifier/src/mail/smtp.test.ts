import { describe, expect, it } from 'vitest';
import { maskEmail } from '../applicant-messages/mask-email.ts';
import { explainSmtpError, parseDomain } from './smtp.ts';

describe('explainSmtpError', () => {
  it.each([
    ['EENVELOPE', 550, true],
    ['EMESSAGE', 554, true],
    ['EENVELOPE', 450, false],
    ['EAUTH', 535, false],
    ['ECONNECTION', undefined, false],
    ['ETIMEDOUT', undefined, false],
  ])('takes %s %s as final: %s', (code, responseCode, final) => {
    const error = Object.assign(new Error('550 <jane@mail.com> unknown'), { code, responseCode });
    expect(explainSmtpError(error).final).toBe(final);
    expect(explainSmtpError(error).text).not.toContain('jane');
  });
});

describe('domainOf', () => {
  it.each([
    ['Rubrica <no-reply@rubrica.example>', 'rubrica.example'],
    ['no-reply@rubrica.example', 'rubrica.example'],
    ['nonsense', 'localhost'],
  ])('finds the domain of %j', (from, domain) => {
    expect(parseDomain(from)).toBe(domain);
  });
});

describe('maskEmail', () => {
  it.each([
    ['jane@mail.com', 'j***@m***.com'],
    ['j@correo.com.ec', 'j***@c***.ec'],
    ['x', 'x***@***'],
  ])('hides %s as %s', (email, masked) => {
    expect(maskEmail(email)).toBe(masked);
  });
});
