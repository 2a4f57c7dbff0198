import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config';

// For the services and commands that tests start as processes: each is compiled once, not once for each start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'node');

// For load, 64 RSA keys are made ahead after each start: seconds of a core. Few tests issue more than two certificates.
process.env.KEY_POOL_SIZE ??= '2';

/**
 * Files share one process and what it has imported, one after the other: to import a service again for each file
 * takes longer than most of its tests.
 */
export const oneProcess = { isolate: false, fileParallelism: false } as const;

/**
 * Ends what hangs, and nothing else: a machine that is busy with other work takes minutes for what takes seconds
 * alone. What is over sooner waits no longer.
 */
export const patience = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
} as const;

const sharedPostgres = join(import.meta.dirname, 'packages/testkit/src/servers/shared-postgres.ts');

/** One Vitest set-up for every workspace: rules beside the code, real servers in `test/`. */
export function packageTests(
  options: {
    /** One PostgreSQL for all files of `test/`: see `someDatabases` and `testGround`. */
    readonly databases?: boolean;
    /**
     * Processes for the files of `test/`: more where they take longest, as the last of all would else leave a core of the machine
     * with nothing to do.
     */
    readonly processes?: number;
    readonly more?: readonly TestProjectInlineConfiguration[];
  } = {},
): ViteUserConfig {
  const { databases = false, processes = 1, more = [] } = options;
  return defineConfig({
    test: {
      // As services run: by Node, with what it keeps compiled. Vite would transform each source again for each workspace.
      // What only Vite's own loader can do, such as `vi.mock`, no test here does.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      reporters: [
        'default',
        [
          'json',
          { outputFile: `.vitest/${(process.env.npm_lifecycle_event ?? 'run').replaceAll(':', '-')}.json` },
        ],
      ],
      projects: [
        {
          test: { ...oneProcess, ...patience, name: 'unit', include: ['src/**/*.test.ts'] },
        },
        {
          test: {
            ...oneProcess,
            ...(processes > 1 && { fileParallelism: true, maxWorkers: processes }),
            ...patience,
            name: 'int',
            include: ['test/**/*.int.test.ts'],
            globalSetup: databases ? [sharedPostgres] : [],
          },
        },
        ...more,
      ],
    },
  });
}
