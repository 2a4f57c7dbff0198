import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { neverNeedsSecond } from '@rubrica/contracts/operators/second-approver';
import { type Html, html } from '@rubrica/html';
import { z } from 'zod';
import { procedureSummaries, roles } from '../content/procedure-summaries.ts';
import { renderCodes } from '../markdown/code.ts';
import { createMarkdown } from '../markdown/create-markdown.ts';
import type { Components, Schema } from '../openapi-document.ts';
import { renderSchemaTable } from '../reference/schema-table.ts';
import { createExample } from './create-example.ts';

export const markdown = createMarkdown({ base: '/docs/en' });

/** Renders one procedure: its role, fields to send, a call to copy, and its answer. */
export function renderProcedure([path, row]: readonly [string, OperatorProcedure]): Html {
  const { kind, input, output } = row;
  const sent = createExample(input, 'input');
  return html`<section class="operation" id="${path}">
<h2>${path}</h2>
<p class="address"><span class="method ${kind === 'query' ? 'get' : 'post'}">${kind.toUpperCase()}</span> <code>/trpc/${path}</code></p>
${markdown.render(procedureSummaries[path] ?? '')}<p class="access">${describeRole(row)} ${describeSecondApproval(row)}</p>
${hasFields(input) && html`<h3>Input</h3>${renderTables(input, 'sent')}`}
<h3>Example</h3>${renderCodes([{ language: 'typescript', text: writeCall(path, kind, sent) }])}
<h3>Answer</h3>${renderTables(output, 'answer')}
<details class="example"><summary>Answer, for example</summary>${renderCodes([{ language: 'json', text: JSON.stringify(createExample(output, 'output'), null, 2) }])}</details>
</section>`;
}

function describeRole({ role, readsApplicants }: OperatorProcedure): string {
  return readsApplicants === true ? `${roles[role]} The audit log says who read.` : roles[role];
}

/** Describes the cases in which a second administrator must approve. Only changes by administrators can need one. */
function describeSecondApproval({
  kind,
  role,
  servedBy,
  second,
  alonePerHour,
  countsAlone,
}: OperatorProcedure): string {
  if (kind === 'query' || role !== 'admin' || servedBy === 'id') return '';
  if (second === undefined) return 'It takes a second one.';
  const loosening = second === neverNeedsSecond ? '' : 'It takes a second one where it loosens a rule. ';
  if (alonePerHour === undefined) return loosening === '' ? 'One is enough.' : loosening.trim();
  const counted = countsAlone === undefined ? 'it' : 'what stops a partner';
  return `${loosening}Beyond ${alonePerHour} within an hour ${counted} takes a second one.`;
}

function describe(schema: z.ZodType, direction: 'sent' | 'answer') {
  const io = direction === 'sent' ? 'input' : 'output';
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema & { readonly $defs?: Components };
}

function hasFields(schema: z.ZodType): boolean {
  return Object.keys(describe(schema, 'sent').properties ?? {}).length > 0;
}

/** Renders one table, or one for each form of an answer that has several. */
function renderTables(schema: z.ZodType, direction: 'sent' | 'answer'): Html {
  const { $defs = {}, ...described } = describe(schema, direction);
  const forms = listForms(described);
  return html`${forms.map((form, index) => html`${index > 0 && html`<p>or</p>`}${renderSchemaTable(form, { components: $defs, language: 'en', markdown, direction })}`)}`;
}

function listForms(schema: Schema): readonly Schema[] {
  const choices = schema.anyOf ?? schema.oneOf;
  return choices === undefined ? [schema] : choices.flatMap(listForms);
}

function writeCall(path: string, kind: OperatorProcedure['kind'], sent: unknown): string {
  const verb = kind === 'query' ? 'query' : 'mutate';
  const isEmpty = typeof sent === 'object' && sent !== null && Object.keys(sent).length === 0;
  const text = isEmpty && path === 'overview' ? '' : JSON.stringify(sent, null, 2);
  return `await rubrica.procedures.${path}.${verb}(${text.replace(/^( *)"(\w+)":/gm, '$1$2:')});`;
}
