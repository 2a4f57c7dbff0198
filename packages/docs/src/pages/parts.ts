import { readFileSync } from 'node:fs';
import { sandboxPeople } from '@rubrica/contracts/rest/sandbox-people';
import { webhookEventTypes } from '@rubrica/contracts/rest/webhooks';
import { errorAdvice } from '@rubrica/contracts/shared/error-advice';
import { type ErrorCode, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { type Html, html } from '@rubrica/html';
import { labels } from '../content/labels.ts';
import { sandboxOutcomes } from '../content/sandbox-outcomes.ts';
import { spanishEvents } from '../content/spanish-events.ts';
import { readOperationText, spanishTags } from '../content/spanish-operations.ts';
import type { Language } from '../language.ts';
import { type CodeLanguage, renderCodes } from '../markdown/code.ts';
import type { Markdown } from '../markdown/create-markdown.ts';
import { groupRoutes, type OpenApiDocument } from '../openapi-document.ts';
import { renderSchemaTable } from '../reference/schema-table.ts';
import { renderChanges } from './changes.ts';
import { renderLifePicture } from './life-picture.ts';

export interface PartContext {
  readonly document: OpenApiDocument;
  readonly language: Language;
  readonly markdown: Markdown;
}

const parts: Readonly<Record<string, (context: PartContext, ...names: string[]) => Html>> = {
  changes: ({ language, markdown }) => renderChanges(language, markdown),
  errors: renderErrors,
  events: renderEvents,
  files: (_context, ...names) => renderExampleFiles(names),
  life: ({ language }) => renderLifePicture(language),
  operations: renderOperations,
  people: renderPeople,
};

/**
 * Renders generated content, for a line `{{name}}` of a written page.
 * @throws if no part has the name
 */
export function renderPart(call: string, context: PartContext): Html {
  const [name = '', ...names] = call.split(' ');
  const render = parts[name];
  if (render === undefined) throw new Error(`a page names the part ${name}, which does not exist`);
  return render(context, ...names);
}

/** Languages of example programs by the ends of their names. Tests of the SDK run its programs against a stack. */
const examples: Readonly<Record<string, { readonly language: CodeLanguage; readonly folder: string }>> = {
  java: { language: 'java', folder: '../../../sdk/programs/java/' },
  py: { language: 'python', folder: '../../../sdk/programs/python/' },
  ts: { language: 'typescript', folder: '../examples/' },
};

function findExample(name: string) {
  const example = examples[name.split('.').at(-1) ?? ''];
  if (example === undefined) throw new Error(`a page shows ${name}, which is in no language of examples`);
  return example;
}

export function readExample(name: string): string {
  return readFileSync(new URL(`${findExample(name).folder}${name}`, import.meta.url), 'utf8');
}

/** Renders `{{files a.ts b.py}}`: example programs, in tabs where their languages differ. */
function renderExampleFiles(names: readonly string[]): Html {
  return renderCodes(
    names.map((name) => ({ language: findExample(name).language, title: name, text: readExample(name) })),
  );
}

function renderPeople({ language, markdown }: PartContext): Html {
  const people = Object.keys(sandboxOutcomes) as (keyof typeof sandboxOutcomes)[];
  const rows = people.map(
    (person) => `| \`${sandboxPeople[person]}\` | ${sandboxOutcomes[person][language]} |`,
  );
  return markdown.render([`| Cédula | ${labels[language].outcome} |`, '| --- | --- |', ...rows].join('\n'));
}

function renderErrors(context: PartContext): Html {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const byStatus = Object.entries(Object.groupBy(codes, (code) => errorCatalogue[code].http));
  return html`${byStatus.map(
    ([status, list = []]) => html`<h2 id="http-${status}">${status}</h2>
${list.map((code) => renderError(code, context))}`,
  )}`;
}

function renderError(code: ErrorCode, { language, markdown }: PartContext): Html {
  const row = errorCatalogue[code];
  const text = labels[language];
  const flags = [row.correctable && text.correctable, row.retryable && text.retryable].filter(Boolean);
  const [cause, remedy] = errorAdvice[code][language].map(markdown.renderInline);
  return html`<section class="entry" id="${code}"><h3><code>${code}</code> <span class="quiet">${row.http}${flags.map((flag) => ` · ${flag}`)}</span></h3>
<p>${row[language]}.</p><dl><dt>${text.cause}</dt><dd>${cause}</dd><dt>${text.remedy}</dt><dd>${remedy}</dd></dl></section>`;
}

function renderEvents({ document, language, markdown }: PartContext): Html {
  return html`${webhookEventTypes.map((type) => {
    const { summary = '', requestBody } = document.webhooks[type]?.post ?? {};
    const [body] = Object.values(requestBody?.content ?? {});
    const meaning = language === 'es' ? (spanishEvents[type] ?? summary) : summary;
    const table =
      body &&
      renderSchemaTable(body.schema, {
        components: document.components.schemas,
        language,
        markdown,
        direction: 'answer',
        owner: type,
        anchor: type,
      });
    return html`<section class="entry" id="${type}"><h3><code>${type}</code></h3><p>${markdown.renderInline(meaning)}.</p>
${table}${body && renderCodes([{ language: 'json', text: JSON.stringify(body.example, null, 2) }])}</section>`;
  })}`;
}

/** Renders the operations of a tag, or of all: `{{operations API-flow}}`, with dashes for spaces. */
function renderOperations({ document, language }: PartContext, tag = ''): Html {
  const groups = groupRoutes(document).filter(({ name }) => tag === '' || name.replaceAll(' ', '-') === tag);
  return html`${groups.map(({ name, routes }) => {
    const heading = language === 'es' ? (spanishTags[name] ?? name) : name;
    const rows = routes.map(
      ({ method, path, operation }) =>
        html`<li><a href="/docs/${language}/reference/${operation.operationId}">${readOperationText(operation, language).summary}</a><br><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></li>`,
    );
    return html`${tag === '' && html`<h3>${heading}</h3>`}
<ul class="operations">${rows}</ul>`;
  })}`;
}
