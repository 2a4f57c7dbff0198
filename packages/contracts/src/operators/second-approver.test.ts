import { describe, expect, it } from 'vitest';
import type { OperatorProcedure } from './procedure.ts';
import { operatorProcedures } from './procedures.ts';
import { stopsPartner } from './second-approver.ts';

const rows: readonly [string, OperatorProcedure][] = Object.entries(operatorProcedures);
/** Nobody is shown a version before it is activated, and activating the active one changes nothing. */
const harmlessAlone = ['terms.createVersion', 'terms.activate'];

describe('a change that one administrator makes alone', () => {
  const alone = rows.filter(
    ([path, { kind, role, second }]) =>
      kind === 'mutation' && role === 'admin' && second !== undefined && !harmlessAlone.includes(path),
  );

  it.each(alone)('is counted by the hour: %s', (_path, { alonePerHour }) => {
    expect(alonePerHour).toBeLessThanOrEqual(20);
  });

  it.each(alone)('says in its answer that it waits for a second one: %s', (_path, { output }) => {
    const json = JSON.stringify(output.toJSONSchema({ unrepresentable: 'any' }));
    expect(json).toContain('"approvalId"');
  });
});

describe('a partner', () => {
  const partner = {
    enabled: true,
    clientSecretEnabled: true,
    scopes: ['status:read', 'manager:write'],
    quota: { TRADITIONAL_SIGNATURE: 100 },
  } as const;
  const days = { limit: 100, from: '2026-01-01', until: '2026-12-31' };

  it.each([
    ['is disabled', { enabled: false }],
    ['loses its client secret', { clientSecretEnabled: false }],
    ['loses a scope', { scopes: ['status:read'] as const }],
    ['gets a smaller quota', { quota: { TRADITIONAL_SIGNATURE: 99 } }],
    ['gets a first quota', { quota: { TRANSACTIONAL_SIGNATURE: 5_000 } }],
    ['gets a package', { quota: { TRADITIONAL_SIGNATURE: days } }],
  ])('can do less when it %s', (_what, change) => {
    expect(stopsPartner({ ...partner, scopes: [...partner.scopes] }, merged(change))).toBe(true);
  });

  it.each([
    ['stays as it is', {}],
    ['gets a scope', { scopes: ['status:read', 'manager:write', 'collector:write'] as const }],
    ['gets a larger quota', { quota: { TRADITIONAL_SIGNATURE: 101 } }],
    ['has no quota any more', { quota: { TRADITIONAL_SIGNATURE: null } }],
    ['has no quota of any type', { quota: {} }],
  ])('can do as much as before when it %s', (_what, change) => {
    expect(stopsPartner({ ...partner, scopes: [...partner.scopes] }, merged(change))).toBe(false);
  });

  function merged(change: object) {
    return { ...partner, scopes: [...partner.scopes], ...change } as never;
  }
});
