import { buildDocsSite } from '@rubrica/build';
import { startStack } from '@rubrica/stack';
import { freePort } from '@rubrica/testkit/processes';
import { stackHome } from '@rubrica/testkit/stack-home';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** RUBRICA_HOME of the stack that all files of `e2e/` share. */
    readonly stackHome: string;
  }
}

/**
 * Starts one stack for all files that break nothing, because its start takes longer than most of them. It uses the most
 * detailed log level, for tests that examine its logs.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using owned = new AsyncDisposableStack();
  const { home, remember } = owned.use(await stackHome('e2e'));
  await buildDocsSite();
  const stack = owned.use(await startStack({ home, port: await freePort(), env: { LOG_LEVEL: 'trace' } }));
  await remember(stack.info().databaseUrl);
  project.provide('stackHome', home);
  const resources = owned.move();
  return () => resources.disposeAsync();
}
