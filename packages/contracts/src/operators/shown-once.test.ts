import { expect, it } from 'vitest';
import type { OperatorProcedure } from './procedure.ts';
import { operatorProcedures } from './procedures.ts';
import { selectShownOnce, shownOnce } from './shown-once.ts';

it('names every secret of a change that another administrator may approve', () => {
  const rows = Object.entries<OperatorProcedure>(operatorProcedures);
  const secret = rows.filter(([, { opens, role }]) => opens !== undefined && role === 'admin');
  expect(secret.map(([path]) => path)).toEqual(Object.keys(shownOnce));
  for (const [path, { opens }] of secret)
    expect(shownOnce[path as keyof typeof shownOnce]).toEqual(
      expect.arrayContaining(Object.keys(opens ?? {})),
    );
});

it('selects what the procedure shows once, and nothing of another procedure', () => {
  const result = { clientId: 'a', clientSecret: 'b', webhookSecret: 'c', id: 'd' };
  expect(selectShownOnce('partners.create', result)).toEqual({
    clientId: 'a',
    clientSecret: 'b',
    webhookSecret: 'c',
  });
  expect(selectShownOnce('partners.update', result)).toEqual({});
  expect(selectShownOnce('partners.rotateSecret', { id: 'd', publicKey: 'e' })).toEqual({ publicKey: 'e' });
  expect(selectShownOnce('partners.create', { approvalId: 'd' })).toEqual({});
  expect(selectShownOnce('partners.create', null)).toEqual({});
});
