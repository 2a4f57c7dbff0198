import { describe, expect, it } from 'vitest';
import { judgeIdentity } from './judge-identity.ts';

const rules = {
  issuer: 'https://id.example',
  roleClaim: 'roles',
  roles: { 'ca-admins': 'admin', 'ca-reviewers': 'reviewer', 'ca-staff': 'viewer' } as const,
  acr: undefined,
  amr: undefined,
};
const person = { sub: 'u-1', email: 'Ana@Example.com', roles: ['ca-staff'] };

describe('who has signed in at the provider', () => {
  it('is the subject there, with the e-mail address in lower case', () => {
    expect(judgeIdentity(person, rules)).toEqual({
      issuer: 'https://id.example',
      subject: 'u-1',
      email: 'ana@example.com',
      role: 'viewer',
    });
  });

  it.each([
    ['the highest of several values', { roles: ['ca-staff', 'ca-admins', 'ca-reviewers'] }, 'admin'],
    ['a value alone', { roles: 'ca-reviewers' }, 'reviewer'],
    ['a value that stands for nothing', { roles: ['others'] }, undefined],
    ['a part of a value', { roles: ['ca-admins-former'] }, undefined],
    ['what every object has', { roles: ['constructor', '__proto__', 'toString'] }, undefined],
    ['no text', { roles: [true, 1, { admin: true }] }, undefined],
    ['nothing', { roles: undefined }, undefined],
  ])('has the role of %s', (_what, claims, role) => {
    expect(judgeIdentity({ ...person, ...claims }, rules)).toMatchObject({ role });
  });

  it.each([
    ['realm_access.roles', { realm_access: { roles: ['ca-admins'] } }],
    ['https://rubrica.example/roles', { 'https://rubrica.example/roles': ['ca-admins'] }],
  ])('has the role by the field %s', (roleClaim, claims) => {
    expect(judgeIdentity({ ...person, ...claims }, { ...rules, roleClaim })).toMatchObject({ role: 'admin' });
  });

  it.each([
    ['no e-mail address', { email: undefined }],
    ['an address that is not verified', { email_verified: false }],
    ['a text that is no address', { email: 'ana' }],
  ])('is refused with %s', (_what, claims) => {
    expect(judgeIdentity({ ...person, ...claims }, rules)).toEqual({ refusal: 'no-address' });
  });

  it('is refused without the second factor that is asked for', () => {
    const [acr, amr] = [['gold'], ['mfa', 'hwk']];
    const missing = { refusal: 'second-factor' };
    expect(judgeIdentity({ ...person, acr: 'silver' }, { ...rules, acr })).toEqual(missing);
    expect(judgeIdentity(person, { ...rules, acr })).toEqual(missing);
    expect(judgeIdentity({ ...person, amr: ['pwd'] }, { ...rules, amr })).toEqual(missing);
    expect(judgeIdentity({ ...person, amr: 'mfa' }, { ...rules, amr })).toEqual(missing);
    const both = { ...person, acr: 'gold', amr: ['pwd', 'mfa'] };
    expect(judgeIdentity(both, { ...rules, acr, amr })).toMatchObject({ role: 'viewer' });
  });
});
