import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { expect, test } from 'vitest';
import { exampleOf } from './example-of.ts';
import { renderOperatorsPage } from './operators-page.ts';

const rows = Object.entries<OperatorProcedure>(operatorProcedures);

test.each(rows)('%s takes and gives what the page shows as an example', (_, { input, output }) => {
  const faultsOf = (value: ReturnType<typeof input.safeParse>) => value.error?.issues ?? [];
  expect(faultsOf(input.safeParse(exampleOf(input, 'input')))).toEqual([]);
  expect(faultsOf(output.safeParse(exampleOf(output, 'output')))).toEqual([]);
});

test('the page has every procedure once, each with a table of its answer', () => {
  const page = renderOperatorsPage();
  const sections = [...page.matchAll(/<section class="operation" id="([^"]+)">(.*?)<\/section>/gs)];
  expect(sections.map(([, id]) => id).sort()).toEqual(rows.map(([path]) => path).sort());
  for (const [section] of sections) expect(section).toMatch(/<h4>Answer<\/h4><div class="table">.*<td>/s);
  expect(page).not.toContain('undefined');
});
