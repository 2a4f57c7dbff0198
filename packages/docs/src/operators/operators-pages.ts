import { readFileSync } from 'node:fs';
import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { type Html, html } from '@rubrica/html';
import { procedureSummaries } from '../content/procedure-summaries.ts';
import { renderFrame } from '../pages/frame.ts';
import { markdown, renderProcedure } from './procedure-section.ts';

const index = '/docs/operators';

type ProcedureRow = readonly [path: string, procedure: OperatorProcedure];

const groups = Object.entries(
  Object.groupBy(
    Object.entries<OperatorProcedure>(operatorProcedures),
    ([path]) => path.split('.')[0] ?? path,
  ),
).map(([name, rows = []]) => ({ name, rows }));

const start = readFileSync(new URL('../content/operators.md', import.meta.url), 'utf8');

/** Renders the operators' procedures for authors of dashboards: an index, and a page for each group. */
export function renderOperatorsPages(): { readonly address: string; readonly text: string }[] {
  const count = Object.keys(operatorProcedures).length;
  const text = renderFrame({
    title: 'Operators’ procedures · Rubrica',
    description:
      'Every procedure that a dashboard may call over tRPC, with its role, its fields and a call to copy.',
    language: 'en',
    contents: renderContents(index),
    main: html`<h1>Operators&rsquo; procedures</h1>
<p class="lead">What the console does, a dashboard of your own can do too: ${count} procedures over tRPC, at <code>/trpc</code>.</p>
${markdown.render(start)}${groups.map(renderGroupList)}`,
  });
  const pages = groups.map(({ name, rows }) => ({
    address: `${index}/${name}`,
    text: renderFrame({
      title: `${name} · Operators’ procedures · Rubrica`,
      description: `The operators’ procedures of ${name}, each with its role, its fields and a call to copy.`,
      language: 'en',
      contents: renderContents(`${index}/${name}`),
      main: html`<h1>${name}</h1><p class="lead">Procedures at <code>/trpc</code>. <a href="${index}#start">How to begin</a>.</p>
${rows.map(renderProcedure)}`,
    }),
  }));
  return [{ address: index, text }, ...pages];
}

function renderContents(current: string): Html {
  const link = (address: string, text: string) =>
    html`<li><a href="${address}"${address === current && html` aria-current="page"`}>${text}</a></li>`;
  return html`<ul>${link('/docs/en', 'API for partners')}${link(index, 'Start here')}</ul>
<p>Procedures</p><ul>${groups.map(({ name }) => link(`${index}/${name}`, name))}</ul>`;
}

/** Lists a group's procedures. Each row keeps its id from the time when one page contained all of them. */
function renderGroupList({
  name,
  rows,
}: {
  readonly name: string;
  readonly rows: readonly ProcedureRow[];
}): Html {
  const items = rows.map(([path]) => {
    const summary = procedureSummaries[path];
    return html`<li id="${path}"><a href="${index}/${name}#${path}"><code>${path}</code></a>${summary !== undefined && html`<br>${markdown.renderInline(summary)}`}</li>`;
  });
  return html`<h2 id="group-${name}">${name}</h2><ul class="operations">${items}</ul>`;
}
