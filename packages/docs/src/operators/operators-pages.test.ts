import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { expect, test } from 'vitest';
import { createExample } from './create-example.ts';
import { renderOperatorsPages } from './operators-pages.ts';

const rows = Object.entries<OperatorProcedure>(operatorProcedures);

test.each(rows)('%s takes and gives what the page shows as an example', (_, { input, output }) => {
  const listFaults = (value: ReturnType<typeof input.safeParse>) => value.error?.issues ?? [];
  expect(listFaults(input.safeParse(createExample(input, 'input')))).toEqual([]);
  expect(listFaults(output.safeParse(createExample(output, 'output')))).toEqual([]);
});

test('the pages have every procedure once, each with a table of its answer', () => {
  const pages = renderOperatorsPages();
  const sections = pages.flatMap(({ text }) => [
    ...text.matchAll(/<section class="operation" id="([^"]+)">(.*?)<\/section>/gs),
  ]);
  expect(sections.map(([, id]) => id).sort()).toEqual(rows.map(([path]) => path).sort());
  for (const [section] of sections) expect(section).toMatch(/<h3>Answer<\/h3><div class="table">.*<td>/s);
  for (const { text } of pages) expect(text).not.toContain('undefined');
});

test('a link into the former single page finds its procedure, one link further', () => {
  const pages = new Map(renderOperatorsPages().map(({ address, text }) => [address, text]));
  const index = pages.get('/docs/operators');
  for (const [path] of rows) {
    const address = `/docs/operators/${path.split('.')[0]}`;
    expect(index).toContain(`<li id="${path}"><a href="${address}#${path}">`);
    expect(pages.get(address)).toContain(`id="${path}"`);
  }
});
