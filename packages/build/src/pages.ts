import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';

/** Folder of an app's pages, within its sources. */
const pagesFolder = 'web';

/**
 * Runs a module whose name ends in `.data.ts` at build time and turns its exports into constants. Pages receive values
 * of the contracts without the schemas that they were computed from.
 */
const dataAtBuild: Plugin = {
  name: 'data at build',
  load: {
    filter: { id: /\.data\.ts$/ },
    async handler(id) {
      const values: Readonly<Record<string, unknown>> = await import(pathToFileURL(id).href);
      return Object.entries(values)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
  },
};

/** Builds the pages of a service that has some, with fingerprints in their names, into the folder's `pages`. */
export async function buildPages(options: {
  readonly service: string;
  readonly root: string;
  readonly into: string;
}): Promise<void> {
  const folder = join(options.root, 'apps', options.service, 'src', pagesFolder);
  if (!existsSync(join(folder, 'index.html'))) return;
  // Set for every caller, such as a test: React's development build is half as large again.
  process.env.NODE_ENV = 'production';
  await build({
    configFile: false,
    root: folder,
    logLevel: 'warn',
    plugins: [dataAtBuild],
    // A pruned copy lacks some of its own settings.
    tsconfig: join(import.meta.dirname, 'pages.tsconfig.json'),
    build: {
      outDir: join(options.into, 'pages'),
      emptyOutDir: true,
      // Browsers that support `light-dark()`.
      target: ['chrome123', 'firefox120', 'safari17.5'],
      // A data: address would require a less strict policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        onLog(level, log, handle) {
          // Libraries contain 'use client' for frameworks that also run them on a server.
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
        },
      },
    },
  });
}
