import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { nextSteps } from '@rubrica/contracts/rest/api-flow';
import { dryRunResultSchema } from '@rubrica/contracts/rest/dry-run';
import type { Operation } from '@rubrica/contracts/rest/operation';
import { sandboxPeople } from '@rubrica/contracts/rest/sandbox-people';
import { webhookBodies } from '@rubrica/contracts/rest/webhooks';
import {
  applicationTypes,
  certificateStatuses,
  certificateTypes,
  families,
  periods,
  statuses,
  validationStatuses,
} from '@rubrica/contracts/shared/enumerations';
import { errorObjectSchema } from '@rubrica/contracts/shared/errors';
import { z } from 'zod';
import { everyOperation } from './every-operation.ts';
import { collectTypes, type Types } from './types.ts';

const head = `// Generated from packages/contracts by scripts/generate.ts. Do not edit.
import type { FileContent } from './files.ts';
`;

const enumerations = {
  ApplicationType: applicationTypes,
  CertificateStatus: certificateStatuses,
  CertificateType: certificateTypes,
  Family: families,
  NextStep: nextSteps,
  Period: periods,
  Status: statuses,
  ValidationStatus: validationStatuses,
};

/** Generates the text of `src/api.ts`: input and output of each operation, without zod or the contracts. */
export function describeApi(): string {
  const types = collectTypes(enumerations);
  const rows = Object.entries<Operation>(everyOperation).sort(([a], [b]) => (a < b ? -1 : 1));
  const operations = rows.map(([id, operation]) => signature(id, operation, types));
  const routes = rows.map(([id, operation]) => `${id}: ${JSON.stringify(describeRoute(operation))}`);
  const events = Object.entries(webhookBodies).map(
    ([type, body]) => `'${type}': ${types.use(body, 'output')}`,
  );
  const fields = Object.entries(webhookBodies).map(
    ([type, body]) => `'${type}': ${JSON.stringify(describeFields(body))}`,
  );
  types.use(errorObjectSchema, 'output');
  types.use(dryRunResultSchema, 'output');
  const text = [
    head,
    ...types.declarations(),
    `/** Input and output of each operation. */\nexport interface Operations {\n${operations.join('\n')}\n}`,
    'export type OperationId = keyof Operations;',
    `/** Bodies of the webhook calls, by type. */\nexport interface WebhookBodies {\n${events.join(';\n')};\n}`,
    `/** Fields by which the bodies of the webhook calls differ, including those with a constant value. */\nexport const webhookFields = {\n${fields.join(',\n')},\n} as const satisfies Record<keyof WebhookBodies, object>;`,
    `/** Cédulas of the sandbox, by the outcome of their requests. */\nexport const sandboxPeople = ${JSON.stringify(sandboxPeople)} as const;`,
    `export const routes = {\n${routes.join(',\n')},\n} as const satisfies Record<OperationId, object>;`,
  ].join('\n\n');
  return format(text);
}

function describeFields({ shape }: z.ZodObject) {
  const fields = Object.entries(shape as Readonly<Record<string, z.ZodType>>);
  const named = (wanted: (field: z.ZodType) => boolean) =>
    fields.filter(([, field]) => wanted(field)).map(([name]) => name);
  const fixed = fields.flatMap(([name, field]) =>
    field instanceof z.ZodLiteral ? [[name, field.value] as const] : [],
  );
  return {
    required: named((field) => !(field instanceof z.ZodOptional)),
    optional: named((field) => field instanceof z.ZodOptional),
    numbers: named((field) => field instanceof z.ZodNumber),
    fixed: Object.fromEntries(fixed),
  };
}

function signature(id: string, operation: Operation, types: Types): string {
  const { summary, params, body, query, success } = operation;
  const sent = [params, body ?? query].flatMap((one) => (one === undefined ? [] : [types.use(one, 'input')]));
  const input = sent.length === 0 ? 'Record<string, never>' : sent.join(' & ');
  return `/** ${summary}. */\n${id}: { input: ${input}; output: ${types.use(success, 'output')} };`;
}

function describeRoute({ method, path, access, body }: Operation) {
  return { method, path, isPublic: access === 'public', sends: body ? 'body' : 'query' };
}

function format(text: string): string {
  const root = join(import.meta.dirname, '..');
  const biome = join(root, '..', '..', 'node_modules', '.bin', 'biome');
  return execFileSync(biome, ['format', '--stdin-file-path=src/api.ts'], {
    cwd: root,
    input: text,
  }).toString();
}
