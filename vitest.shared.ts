import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config';

// For the services and commands that tests start as processes: each is compiled once, not once for each start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'node');

/**
 * Files share one process and what it has imported, one after the other: to import a service again for each file
 * takes longer than most of its tests.
 */
export const oneProcess = { isolate: false, fileParallelism: false } as const;

/** A machine that is busy with other work takes long for little things; what is over sooner waits no longer. */
export const patientPolls = { poll: { timeout: 45_000 } } as const;

/** For a test that starts whole stacks: what it waits for has deadlines of its own. */
export const stackTimeouts = { testTimeout: 300_000, hookTimeout: 300_000 } as const;

const sharedPostgres = join(import.meta.dirname, 'packages/testkit/src/servers/shared-postgres.ts');

/** One Vitest set-up for every workspace: rules beside the code, real servers in `test/`. */
export function packageTests(
  options: {
    /** One PostgreSQL for all files of `test/`: see `someDatabases` and `testGround`. */
    readonly databases?: boolean;
    /** Tests of `test/` start whole stacks, which takes a busy machine long. */
    readonly wholeStacks?: boolean;
    readonly more?: readonly TestProjectInlineConfiguration[];
  } = {},
): ViteUserConfig {
  const { databases = false, wholeStacks = false, more = [] } = options;
  return defineConfig({
    test: {
      reporters: [
        'default',
        [
          'json',
          { outputFile: `.vitest/${(process.env.npm_lifecycle_event ?? 'run').replaceAll(':', '-')}.json` },
        ],
      ],
      projects: [
        {
          test: {
            ...oneProcess,
            name: 'unit',
            include: ['src/**/*.test.ts'],
            testTimeout: 60_000,
            expect: patientPolls,
          },
        },
        {
          test: {
            ...oneProcess,
            name: 'int',
            include: ['test/**/*.int.test.ts'],
            ...(wholeStacks ? stackTimeouts : { testTimeout: 120_000, hookTimeout: 120_000 }),
            expect: patientPolls,
            globalSetup: databases ? [sharedPostgres] : [],
          },
        },
        ...more,
      ],
    },
  });
}
