import { describe, expect, it } from 'vitest';
import { maskIdentification } from './mask-identification.ts';

describe('an answer for who may not see identification numbers', () => {
  it('shows the last four digits of them, in whatever text they stand', () => {
    const answer = {
      identificationNumber: '12AB',
      items: [
        { identificationNumber: '1710034065', subject: 'CN=A, serialNumber=IDCEC-1710034065' },
        { reason: 'he is 1710034065, of 1710034065001', details: { of: ['1710034065'] } },
      ],
    };
    expect(maskIdentification(answer)).toEqual({
      identificationNumber: '**AB',
      items: [
        { identificationNumber: '******4065', subject: 'CN=A, serialNumber=IDCEC-******4065' },
        { reason: 'he is ******4065, of *********5001', details: { of: ['******4065'] } },
      ],
    });
  });

  it('keeps what only looks like one, and everything else', () => {
    const answer = {
      id: '01890a5d-ac96-774b-bcce-b302099a8057',
      serialNumber: 'A1710034065B',
      reference: '1710034066',
      at: '2026-11-20T10:00:00.000Z',
      count: 1710034065,
      none: null,
      isIt: true,
    };
    expect(maskIdentification(answer)).toEqual(answer);
  });
});
