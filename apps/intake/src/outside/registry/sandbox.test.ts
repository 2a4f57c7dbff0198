import { checkCedula } from '@rubrica/ecuador';
import { describe, expect, it } from 'vitest';
import { computeAge } from '../../requests/request/compute-age.ts';
import { birthDateFor, registryExceptions } from './sandbox.ts';

describe('the sandbox', () => {
  it('has agreed outcomes only for well-formed cédulas', () => {
    for (const cedula of Object.keys(registryExceptions))
      expect(checkCedula(cedula), cedula).toMatchObject({ ok: true });
  });

  it.each(['2026-11-21', '2028-02-29', '2026-02-28', '2026-12-31'])(
    'knows who turns 65 on %s and who a day later',
    (today) => {
      expect(computeAge(birthDateFor(today, { years: 65 }), today)).toBe(65);
      expect(computeAge(birthDateFor(today, { years: 65, plusDays: 1 }), today)).toBe(64);
      expect(computeAge(birthDateFor(today, { years: 17 }), today)).toBe(17);
    },
  );
});
