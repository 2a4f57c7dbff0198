import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { type Html, html } from '../../pages/html.ts';
import { docsFrame } from '../frame.ts';
import { codes } from '../markdown/code.ts';
import { procedureSection } from './procedure-section.ts';

export const operatorsPath = '/docs/operators';

const groups = Object.groupBy(
  Object.entries<OperatorProcedure>(operatorProcedures),
  ([path]) => path.split('.')[0] ?? path,
);

const beginning = `import { createOperatorsClient } from '@rubrica/operators-client';

const rubrica = createOperatorsClient({ url: 'https://firma.example/trpc' });
await rubrica.signIn({ email, password });`;

/** Every operators' procedure with its role, its shapes and a call to copy, for whoever builds a dashboard. */
export function renderOperatorsPage(): string {
  const named = Object.entries(groups).map(([name, rows = []]) => ({ name, rows }));
  return docsFrame({
    title: 'Operators’ procedures · Rubrica',
    description:
      'Every procedure that a dashboard may call over tRPC, with its role, its fields and a call to copy.',
    language: 'en',
    contents: html`<ul><li><a href="/docs/en">API for partners</a></li><li><a href="#start">Start here</a></li></ul>${named.map(
      ({ name, rows }) =>
        html`<p>${name}</p><ul>${rows.map(([path]) => html`<li><a href="#${path}">${path}</a></li>`)}</ul>`,
    )}`,
    main: html`<h1>Operators&rsquo; procedures</h1>
<p class="lead">What the console does, a dashboard of your own can do too: ${Object.keys(operatorProcedures).length} procedures over tRPC, at <code>/trpc</code>.</p>
${start()}
${named.map(({ name, rows }) => html`<h2 id="group-${name}">${name}</h2>${rows.map(procedureSection)}`)}`,
  });
}

function start(): Html {
  return html`<h2 id="start">Start here</h2>
<p>The package <code>@rubrica/operators-client</code> has every type and renews tokens. Any other client of tRPC does as well, with the access token as <code>Authorization: Bearer</code>.</p>
${codes([{ language: 'typescript', text: beginning }])}
<ul><li>Viewer, reviewer, administrator: each role may do all that the one before it may.</li>
<li>Searches answer <code>items</code> and <code>nextCursor</code>; the next page is the same call with that cursor.</li>
<li>Instants are UTC. Fields that a procedure does not know are refused.</li>
<li>Every change takes a <code>reason</code>, which goes to the audit log.</li>
<li>A change that needs a second administrator answers with <code>approvalId</code> and waits, for 72 hours, in <code>approvals.list</code>.</li>
<li>Failures carry a code of <a href="/docs/en/errors">the catalogue</a> as <code>data.appCode</code>.</li></ul>`;
}
