import { describe, expect, it } from 'vitest';
import { listOwnData } from './own-data.ts';

const known = { identificationNumber: '1710034065', partnerName: 'Banco', details: {} };

describe('what is known of an applicant', () => {
  it('is every text of the request, once, with the number and the partner', () => {
    const details = {
      applicantName: 'Ana',
      secondEmail: 'ana@correo.ec',
      isReal: true,
      email: 'ana@correo.ec',
    };
    expect(listOwnData({ ...known, details })).toEqual(['1710034065', 'Banco', 'Ana', 'ana@correo.ec']);
  });

  it('is bounded, however much a request carries', () => {
    const details = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`a${i}`, `${i}${'x'.repeat(999)}`]),
    );
    const values = listOwnData({ ...known, details });
    expect(values).toHaveLength(100);
    expect(Math.max(...values.map(({ length }) => length))).toBe(300);
  });
});
