import { expect, it } from 'vitest';
import { judgeFindings, readWaivers } from './waivers.ts';

const waiver = { what: ['metrics a: is gone', 'metrics b: is gone'], why: 'renamed', until: '2027-01-31' };

it('a waiver counts up to its last day, for the lines that it quotes', () => {
  const findings = ['metrics a: is gone', 'metrics a: is gone too'];
  expect(judgeFindings(findings, [waiver], '2027-01-31')).toEqual({
    open: ['metrics a: is gone too'],
    expired: [],
    waived: ['metrics a: is gone'],
    idle: ['metrics b: is gone'],
  });
});

it('from the day after it counts no more', () => {
  expect(judgeFindings(waiver.what, [waiver], '2027-02-01')).toMatchObject({
    open: [],
    expired: waiver.what,
    waived: [],
  });
});

it('every waiver that is committed has a line, a reason and a date', () => {
  expect(() => readWaivers()).not.toThrow();
});
