import { describe, expect, it } from 'vitest';
import { requireAcceptedTerms } from './terms-acceptance.ts';

const active = { id: 'one', version: '1' };

describe('the terms of a claim', () => {
  it('are those in force, once they were accepted', () =>
    expect(requireAcceptedTerms(active, 'one')).toBe(active));

  it.each([
    ['there are none, and none were accepted', null, null, 'NO_ACTIVE_TERMS'],
    ['there are none, and some were accepted', null, 'one', 'NO_ACTIVE_TERMS'],
    ['none were accepted', active, null, 'TERMS_NOT_ACCEPTED'],
    ['others were accepted', active, 'other', 'TERMS_OUTDATED'],
  ])('are refused where %s', (_, terms, acceptedId, code) => {
    expect(() => requireAcceptedTerms(terms, acceptedId)).toThrow(expect.objectContaining({ code }));
  });
});
