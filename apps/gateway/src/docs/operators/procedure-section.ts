import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { oneIsEnough } from '@rubrica/contracts/operators/second';
import type { JsonObject } from '@rubrica/openapi/json';
import { z } from 'zod';
import { type Html, html, prose } from '../../pages/html.ts';
import { codes } from '../markdown/code.ts';
import { type Schema, schemaTable } from '../reference/schema-table.ts';
import { exampleOf } from './example-of.ts';
import { summaries } from './summaries.ts';

/** One procedure: who may call it, what to send, what comes back, and a call to copy. */
export function procedureSection([path, row]: readonly [string, OperatorProcedure]): Html {
  const { kind, input, output } = row;
  const sent = exampleOf(input, 'input');
  return html`<section class="operation" id="${path}">
<h3>${path}</h3>
<p class="address"><span class="method ${kind === 'query' ? 'get' : 'post'}">${kind.toUpperCase()}</span> <code>/trpc/${path}</code></p>
${prose(summaries[path])}<p class="access">${roleOf(row)} ${secondOf(row)}</p>
${hasFields(input) && html`<h4>Input</h4>${tables(input, 'sent')}`}
<h4>Example</h4>${codes([{ language: 'typescript', text: callOf(path, kind, sent) }])}
<h4>Answer</h4>${tables(output, 'answer')}
<details class="example"><summary>Answer, for example</summary>${codes([{ language: 'json', text: JSON.stringify(exampleOf(output, 'output'), null, 2) }])}</details>
</section>`;
}

const roles: Readonly<Record<OperatorProcedure['role'], string>> = {
  public: 'Open to all, no token.',
  viewer: 'For viewers, reviewers and administrators.',
  reviewer: 'For reviewers and administrators.',
  admin: 'For administrators.',
};

function roleOf({ role, readsApplicants }: OperatorProcedure): string {
  return readsApplicants === true ? `${roles[role]} The audit log says who read.` : roles[role];
}

/** Only changes by administrators can take a second one. */
function secondOf({ kind, role, servedBy, second, alonePerHour, countsAlone }: OperatorProcedure): string {
  if (kind === 'query' || role !== 'admin' || servedBy === 'id') return '';
  if (second === undefined) return 'It takes a second one.';
  const loosening = second === oneIsEnough ? '' : 'It takes a second one where it loosens a rule. ';
  if (alonePerHour === undefined) return loosening === '' ? 'One is enough.' : loosening.trim();
  const counted = countsAlone === undefined ? 'it' : 'what stops a partner';
  return `${loosening}Beyond ${alonePerHour} within an hour ${counted} takes a second one.`;
}

function describe(schema: z.ZodType, direction: 'sent' | 'answer') {
  const io = direction === 'sent' ? 'input' : 'output';
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema & { readonly $defs?: JsonObject };
}

function hasFields(schema: z.ZodType): boolean {
  return Object.keys(describe(schema, 'sent').properties ?? {}).length > 0;
}

/** An answer that has one of several forms has a table for each. */
function tables(schema: z.ZodType, direction: 'sent' | 'answer'): Html {
  const { $defs = {}, ...described } = describe(schema, direction);
  const forms = formsOf(described);
  return html`${forms.map((form, index) => html`${index > 0 && html`<p>or</p>`}${schemaTable(form, { components: $defs as Readonly<Record<string, JsonObject>>, language: 'en', direction })}`)}`;
}

function formsOf(schema: Schema): readonly Schema[] {
  const choices = schema.anyOf ?? schema.oneOf;
  return choices === undefined ? [schema] : choices.flatMap(formsOf);
}

function callOf(path: string, kind: OperatorProcedure['kind'], sent: unknown): string {
  const verb = kind === 'query' ? 'query' : 'mutate';
  const isEmpty = typeof sent === 'object' && sent !== null && Object.keys(sent).length === 0;
  const text = isEmpty && path === 'overview' ? '' : JSON.stringify(sent, null, 2);
  return `await rubrica.procedures.${path}.${verb}(${text.replace(/^( *)"(\w+)":/gm, '$1$2:')});`;
}
