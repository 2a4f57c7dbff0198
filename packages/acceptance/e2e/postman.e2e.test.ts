import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { closeAfterAll, joinScene } from './support/scene.ts';
import { projectRoot, runProgram } from './support/shell.ts';

const scene = await closeAfterAll(joinScene());

interface Collection {
  readonly item: readonly { readonly item: readonly { readonly name: string }[] }[];
  readonly variable: readonly { readonly key: string; readonly value: string }[];
}

interface Report {
  readonly collection: Collection;
  readonly run: {
    readonly executions: readonly {
      readonly item: { readonly name: string };
      readonly response?: { readonly code: number };
      readonly assertions?: readonly {
        readonly assertion: string;
        readonly error?: { readonly message: string };
      }[];
    }[];
    readonly failures: readonly unknown[];
  };
}

/** newman, run on the collection as `/docs` gives it, with the partner's credentials alone. */
async function run(): Promise<{ collection: Collection; report: Report }> {
  const { baseUrl, partners } = scene.stack.info();
  const { clientId, clientSecret } = partners.sandbox;
  const answer = await fetch(`${baseUrl}/docs/rubrica.postman_collection.json`);
  const collection = (await answer.json()) as Collection;
  const [file, result] = ['collection.json', 'report.json'].map((name) => join(scene.folder, name)) as [
    string,
    string,
  ];
  await writeFile(file, JSON.stringify(collection));
  const variables = { clientId, clientSecret, callbackUrl: scene.partners.sandbox.callbackUrl };
  await runProgram(join(projectRoot, 'node_modules', '.bin', 'newman'), [
    'run',
    file,
    ...Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
    '--reporters',
    'json',
    '--reporter-json-export',
    result,
  ]);
  return { collection, report: JSON.parse(await readFile(result, 'utf8')) as Report };
}

it('newman runs the whole collection, and every test of it passes', { timeout: 240_000 }, async () => {
  const { collection, report } = await run();
  const { executions } = report.run;
  const names = collection.item.flatMap(({ item }) => item.map(({ name }) => name));
  // The request for a token that a script makes is told as one more of its item.
  const tested = executions.filter(({ assertions = [] }) => assertions.length >= 2);
  expect([...new Set(tested.map(({ item }) => item.name))]).toEqual(names);
  const failed = executions.flatMap(({ item, assertions = [] }) =>
    assertions.flatMap(({ assertion, error }) =>
      error ? [`${item.name}: ${assertion}: ${error.message}`] : [],
    ),
  );
  expect(failed).toEqual([]);
  expect(report.run.failures).toEqual([]);
  const succeeded = executions.filter(({ response }) => response?.code === 200).map(({ item }) => item.name);
  expect(succeeded.length).toBeGreaterThan(20);
  // What a registration answered, the calls after it have sent.
  const kept = new Map(report.collection.variable.map(({ key, value }) => [key, value]));
  expect(kept.get('linkedPartnerRequestId')).toMatch(/^[0-9a-f-]{36}$/);
  expect(succeeded).toContain('Get the status of a request');
});
