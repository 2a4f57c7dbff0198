import { expect, it } from 'vitest';
import { judgeConnections } from './judge-connections.ts';

it('names a role without a limit, and one whose limit is below what a copy has', () => {
  expect(() => judgeConnections({ limit: -1, sessions: 3 }, 14)).toThrow('no limit');
  expect(() => judgeConnections({ limit: 13, sessions: 3 }, 14)).toThrow('may have 13 connections');
});

it('says how many are used where all is well', () => {
  expect(judgeConnections({ limit: 14, sessions: 3 }, 14)).toContain('3 of 14');
});
