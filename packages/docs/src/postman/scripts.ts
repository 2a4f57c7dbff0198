import { readFileSync } from 'node:fs';
import type { JsonObject } from '@rubrica/openapi/json';
import type { Components } from '../openapi-document.ts';
import type { Expectation } from './expectations.ts';

function createEvent(listen: 'prerequest' | 'test', code: string): JsonObject {
  return {
    listen,
    script: { type: 'text/javascript', exec: code.trim().split('\n') },
  };
}

function readScript(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

/** Script that requests an access token, which runners do not, and stores it until a minute before its end. */
export const beforeEach: JsonObject = createEvent('prerequest', readScript('before-each.js'));

interface TestFacts {
  /** Expectations by name of the request. */
  readonly expectations: Readonly<Record<string, Expectation>>;
  readonly schemas: Components;
}

/**
 * Creates the tests of each answer: status, schema, and an id to quote to support. They store its identifiers for later
 * calls. Runners validate with Ajv 6, which does not support formats of later drafts.
 */
export function createAfterEach(
  variables: readonly string[],
  { expectations, schemas }: TestFacts,
): JsonObject {
  const facts = Object.entries({ components: { schemas }, expectations, variables });
  const declarations = facts.map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`);
  return createEvent('test', declarations.join('') + readScript('after-each.js'));
}

/** Variables whose field has another name in answers than in bodies. */
const renamed: Readonly<Record<string, readonly [variable: string, field: string]>> = {
  activeTerms: ['termsAndConditionsId', 'id'],
  listEvents: ['eventId', "items[0]?.eventId ?? pm.variables.get('eventId')"],
};

export function createAfterOperation(
  operationId: string,
  variables: readonly string[],
): JsonObject | undefined {
  const [variable = '', field = ''] = renamed[operationId] ?? [];
  if (!variables.includes(variable)) return undefined;
  return createEvent(
    'test',
    `if (pm.response.code === 200) pm.collectionVariables.set('${variable}', pm.response.json().${field});`,
  );
}
