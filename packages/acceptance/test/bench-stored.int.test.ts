import { describe, expect, it } from 'vitest';
import { readCommand } from '../bench/options.ts';
import { combinations } from '../bench/stored/combinations.ts';
import { grown } from '../bench/stored/growth.ts';
import { judgePlan, type PlanNode, shortPlan } from '../bench/stored/plans/judge-plan.ts';
import { readStatements } from '../bench/stored/plans/read-log.ts';

const scan = (more: object): PlanNode => ({
  'Node Type': 'Index Scan',
  Schema: 'intake',
  'Relation Name': 'request',
  'Index Name': 'request_by_state',
  'Actual Rows': 26,
  'Actual Loops': 1,
  ...more,
});
const limit = (plan: PlanNode): PlanNode => ({ 'Node Type': 'Limit', 'Actual Rows': 26, Plans: [plan] });
const judgement = { growing: new Set(['intake.request']), mostRows: 1_000 };

describe('a plan is at fault', () => {
  it.each<[string, object, string]>([
    ['reads all of a table', { 'Node Type': 'Parallel Seq Scan' }, 'reads all of intake.request'],
    ['walks over what it does not show', { 'Rows Removed by Filter': 1_000 }, 'reads 1026 rows'],
    ['reads too much in many small steps', { 'Actual Loops': 100 }, 'reads 2600 rows'],
    [
      'looks at pages for rows that are not meant',
      { 'Rows Removed by Index Recheck': 5_000 },
      'reads 5026 rows',
    ],
  ])('where it %s', (_what, more, finding) => {
    const [found, ...rest] = judgePlan(limit(scan(more)), judgement);
    expect(found).toContain(finding);
    expect(rest).toEqual([]);
  });

  it.each<[string, object]>([
    ['reads a page of rows by an index', {}],
    ['reads all of a table that does not grow', { 'Node Type': 'Seq Scan', 'Relation Name': 'partner' }],
    [
      'reads all of a table of the same name of another service',
      { 'Node Type': 'Seq Scan', Schema: 'notifier' },
    ],
    ['writes what others have read', { 'Node Type': 'ModifyTable', 'Actual Rows': 5_000 }],
  ])('nowhere where it %s', (_what, more) => {
    expect(judgePlan(limit(scan(more)), judgement)).toEqual([]);
  });

  it('and is shown by its nodes', () => {
    const plan = limit(scan({ 'Shared Hit Blocks': 3, 'Shared Read Blocks': 1 }));
    expect(shortPlan(plan)).toEqual([
      'Limit (1 ×, 0 pages)',
      '  Index Scan request by request_by_state (1 ×, 26 rows read, 4 pages)',
    ]);
  });
});

describe('the log of PostgreSQL', () => {
  const entry = (text: string) =>
    `2026-11-23 07:00:00.000 UTC [1] LOG:  duration: 1.500 ms  plan:\n\t{\n\t  "Query Text": "${text}",\n\t  "Plan": {"Node Type": "Result"}\n\t}\n`;

  it('gives each statement with its plan, and passes over what else is said', () => {
    const log = `2026-11-23 07:00:00.000 UTC [1] LOG:  checkpoint starting: time\n${entry('select\\n  1')}${entry('select 2')}`;
    expect(readStatements(log)).toEqual([
      { durationMs: 1.5, text: 'select 1', plan: { 'Node Type': 'Result' } },
      { durationMs: 1.5, text: 'select 2', plan: { 'Node Type': 'Result' } },
    ]);
  });

  it('that is not whole yet gives what is', () => {
    expect(readStatements(`${entry('select 1')}${entry('select 2').slice(0, 120)}`)).toHaveLength(1);
  });
});

describe('an index with more rows', () => {
  const measured = { name: 'i', bytes: 10_000_000, levels: 2, leaves: 40_000, inner: 200 };

  it('is as much larger, and has a level more only where its pages do not find room below the root', () => {
    expect(grown(measured, 1)).toMatchObject({ megabytes: 10, levels: 2, levelsThen: 2 });
    expect(grown(measured, 5)).toMatchObject({ megabytesThen: 50, levelsThen: 3 });
    expect(grown({ ...measured, leaves: 1, inner: 0, levels: 0 }, 100)).toMatchObject({ levelsThen: 1 });
  });
});

it('the command takes how many requests are stored, and refuses too few to tell anything', () => {
  expect(readCommand(['--stored', '2000000', '--plans'])).toMatchObject({
    kind: 'stored',
    options: { requests: 2_000_000, showsPlans: true },
  });
  for (const wrong of ['10', 'many', '1.5'])
    expect(readCommand(['--stored', wrong])).toMatchObject({ kind: 'refused' });
});

it('filters are combined in every way, with the frequent values and with the rare ones', () => {
  const calls = combinations('audit.list', { actor: ['a', 'x'], action: ['b', 'y'] }, { service: 'intake' });
  expect(calls.map(({ input }) => input)).toEqual([
    { service: 'intake' },
    { service: 'intake', actor: 'a' },
    { service: 'intake', actor: 'x' },
    { service: 'intake', action: 'b' },
    { service: 'intake', action: 'y' },
    { service: 'intake', actor: 'a', action: 'b' },
    { service: 'intake', actor: 'x', action: 'y' },
  ]);
});
