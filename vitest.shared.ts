import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** One Vitest set-up for every workspace: rules beside the code, real servers in `test/`, whole stacks in `e2e/`. */
export function packageTests(): ViteUserConfig {
  return defineConfig({
    test: {
      reporters: [
        'default',
        [
          'json',
          { outputFile: `.vitest/${(process.env.npm_lifecycle_event ?? 'run').replace(':', '-')}.json` },
        ],
      ],
      projects: [
        { test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 30_000 } },
        {
          test: {
            name: 'int',
            include: ['test/**/*.int.test.ts'],
            testTimeout: 60_000,
            hookTimeout: 120_000,
            fileParallelism: false,
          },
        },
        {
          test: {
            name: 'e2e',
            include: ['e2e/**/*.e2e.test.ts'],
            testTimeout: 300_000,
            hookTimeout: 300_000,
            fileParallelism: false,
          },
        },
      ],
    },
  });
}
