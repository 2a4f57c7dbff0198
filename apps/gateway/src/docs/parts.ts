import { readFileSync } from 'node:fs';
import { sandboxPeople } from '@rubrica/contracts/rest/sandbox-people';
import { webhookEventTypes } from '@rubrica/contracts/rest/webhooks';
import { errorAdvice } from '@rubrica/contracts/shared/error-advice';
import { type ErrorCode, errorCatalogue } from '@rubrica/contracts/shared/errors';
import vectors from '@rubrica/contracts/webhook-vectors.json' with { type: 'json' };
import type { Language } from '../context.ts';
import { type Html, html } from '../pages/html.ts';
import { changeList } from './changes.ts';
import { lifePicture } from './life-picture.ts';
import { type Code, codes } from './markdown/code.ts';
import { inlineMarkdown } from './markdown/inline.ts';
import { markdownTable } from './markdown/render-markdown.ts';
import { type DescribedDocument, operationGroups } from './reference/document.ts';
import { operationText, spanishTags } from './reference/operation-texts.ts';
import { schemaTable } from './reference/schema-table.ts';
import { sandboxOutcomes } from './sandbox-outcomes.ts';
import { words } from './site/words.ts';

export interface PartContext {
  readonly document: DescribedDocument;
  readonly language: Language;
}

/** Type-checked, tested, and shown as they stand. */
const examples = new URL('./examples/', import.meta.url);

export function exampleText(name: string): string {
  return readFileSync(new URL(name, examples), 'utf8');
}

export function verificationVectors(): string {
  return `${JSON.stringify(vectors, null, 2)}\n`;
}

const languageOfFile: Readonly<Record<string, Code['language']>> = {
  java: 'java',
  py: 'python',
  ts: 'typescript',
};

/** `{{files a.ts b.py}}`: in tabs where each is of another language. */
function exampleFiles(names: readonly string[]): Html {
  return codes(
    names.map((name) => {
      const language = languageOfFile[name.split('.').at(-1) ?? ''] ?? 'text';
      return { language, title: name, text: exampleText(name) };
    }),
  );
}

/** What a line `{{name}}` of a written page stands for: content that is made from the tables. */
const parts: Readonly<Record<string, (context: PartContext) => Html>> = {
  changes: ({ language }) => changeList(language),
  errors: errorTables,
  events: eventCatalogue,
  life: ({ language }) => lifePicture(language),
  operations: operationList,
  people: peopleTable,
};

/** @throws where there is none of this name, which a test finds */
export function partOf(name: string, context: PartContext): Html {
  const [kind, ...names] = name.split(' ');
  if (kind === 'operations') return operationList(context, names[0]);
  if (kind === 'files') return exampleFiles(names);
  const make = parts[name];
  if (make === undefined) throw new Error(`a page names the part ${name}, which does not exist`);
  return make(context);
}

function peopleTable({ language }: PartContext): Html {
  const people = Object.keys(sandboxOutcomes) as (keyof typeof sandboxOutcomes)[];
  return markdownTable(
    [
      ['Cédula', words[language].outcome],
      ...people.map((person) => [`\`${sandboxPeople[person]}\``, sandboxOutcomes[person][language]]),
    ],
    `/docs/${language}`,
  );
}

function errorTables({ language }: PartContext): Html {
  const text = words[language];
  const byStatus = Object.entries(
    Object.groupBy(Object.keys(errorCatalogue) as ErrorCode[], (code) => errorCatalogue[code].http),
  );
  return html`${byStatus.map(
    ([status, list = []]) => html`<h2 id="http-${status}">${status}</h2>
${list.map((code) => errorEntry(code, language, text))}`,
  )}`;
}

function errorEntry(code: ErrorCode, language: Language, text: (typeof words)[Language]): Html {
  const row = errorCatalogue[code];
  const flags = [row.correctable && text.correctable, row.retryable && text.retryable].filter(Boolean);
  const [cause, remedy] = errorAdvice[code][language];
  const base = `/docs/${language}`;
  return html`<section class="entry" id="${code}"><h3><code>${code}</code> <span class="quiet">${row.http}${flags.map((flag) => ` · ${flag}`)}</span></h3>
<p>${row[language]}.</p><dl><dt>${text.cause}</dt><dd>${inlineMarkdown(cause, base)}</dd><dt>${text.remedy}</dt><dd>${inlineMarkdown(remedy, base)}</dd></dl></section>`;
}

const spanishEvents: Readonly<Record<string, string>> = {
  'certificate.issued': 'El certificado fue emitido',
  'certificate.expiring':
    'Al certificado le quedan 30 días, o 5; para terceros cuya configuración `events` lo nombra',
  'certificate.revoked':
    'El certificado fue revocado, por quien sea; para terceros cuya configuración `events` lo nombra. Uno suspendido todavía no está revocado',
  'request.error': 'Ocurrió un error en la validación o la generación, o falló un servicio externo',
  'request.refused': 'La solicitud fue rechazada',
};

function eventCatalogue({ document, language }: PartContext): Html {
  return html`${webhookEventTypes.map((type) => {
    const { summary, requestBody } = document.webhooks[type]?.post ?? {};
    const [body] = Object.values(requestBody?.content ?? {});
    const said = language === 'es' ? (spanishEvents[type] ?? summary) : summary;
    return html`<section class="entry" id="${type}"><h3><code>${type}</code></h3><p>${said}.</p>
${
  body &&
  html`${schemaTable(body.schema, {
    components: document.components.schemas,
    language,
    direction: 'answer',
    owner: type,
    anchor: type,
  })}${codes([{ language: 'json', text: JSON.stringify(body.example, null, 2) }])}`
}</section>`;
  })}`;
}

/** The operations of a tag, or of all: `{{operations Regular}}`, with dashes for spaces. */
function operationList({ document, language }: PartContext, tag = ''): Html {
  const groups = operationGroups(document).filter(
    ({ name }) => tag === '' || name.replaceAll(' ', '-') === tag,
  );
  return html`${groups.map(
    ({
      name,
      operations,
    }) => html`${tag === '' && html`<h3>${language === 'es' ? (spanishTags[name] ?? name) : name}</h3>`}
<ul class="operations">${operations.map(
      ({ method, path, operation }) =>
        html`<li><a href="/docs/${language}/reference/${operation.operationId}">${operationText(operation, language).summary}</a><br><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></li>`,
    )}</ul>`,
  )}`;
}
