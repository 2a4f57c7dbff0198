import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';

/** Of an app that has pages: below its sources. */
const pagesFolder = 'web';

/**
 * A module whose name ends with `.data.ts` is run here, and its exports become constants: pages get what they need of the
 * contracts without the schemas that it was worked out from.
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

/** Builds the pages of a service that has some, with fingerprints in their names, into `pages` below the folder. */
export async function buildPages(options: {
  readonly service: string;
  readonly root: string;
  readonly into: string;
}): Promise<void> {
  const folder = join(options.root, 'apps', options.service, 'src', pagesFolder);
  if (!existsSync(join(folder, 'index.html'))) return;
  // Whoever builds, such as a test: React for developers is half as large again.
  process.env.NODE_ENV = 'production';
  await build({
    configFile: false,
    root: folder,
    logLevel: 'warn',
    plugins: [dataAtBuild],
    // A pruned copy has not all of its own.
    tsconfig: join(import.meta.dirname, 'pages.tsconfig.json'),
    build: {
      outDir: join(options.into, 'pages'),
      emptyOutDir: true,
      // Browsers that know `light-dark()`.
      target: ['chrome123', 'firefox120', 'safari17.5'],
      // A data: address would need a looser policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        onLog(level, log, handle) {
          // Libraries say 'use client' for frameworks that run them on a server too.
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
        },
      },
    },
  });
}
