import { expect, it } from 'vitest';
import { judgeLoad } from './judge-load.ts';

it('names each role that holds many locks or an old snapshot, and no other', () => {
  const roles = [
    { role: 'rubrica_terms', locks: 2_001, snapshotAge: 200_001 },
    { role: 'rubrica_intake', locks: 2_000, snapshotAge: 200_000 },
  ];
  expect(judgeLoad(roles)).toEqual([
    'role rubrica_terms holds 2001 locks',
    'role rubrica_terms holds a snapshot 200001 transactions old',
  ]);
});
