/** Part of a library's own `package.json` that the published one contains. */
export interface OwnManifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly [field: string]: unknown;
}

/** Part of the repository's own `package.json`. */
export interface RootManifest {
  readonly repository: { readonly type: string; readonly url: string };
}

/** Fields that serve the repository only. */
const internal = ['private', 'scripts', 'devDependencies', 'exports'];

/**
 * Entry points. Resolvers that support `exports` read those; `main` and `types` serve others: TypeScript's `node10`,
 * old bundlers.
 */
const entries = {
  main: './dist/cjs/index.js',
  types: './dist/cjs/index.d.ts',
  exports: {
    '.': {
      import: { types: './dist/esm/index.d.ts', default: './dist/esm/index.js' },
      require: { types: './dist/cjs/index.d.ts', default: './dist/cjs/index.js' },
    },
    './package.json': './package.json',
  },
} as const;

/**
 * Creates the `package.json` of the published package. `directory` is the library's folder, relative to the
 * repository's root.
 */
export function publishedManifest(own: OwnManifest, { repository }: RootManifest, directory: string): object {
  const published = Object.fromEntries(Object.entries(own).filter(([field]) => !internal.includes(field)));
  return { ...published, repository: { ...repository, directory }, ...entries };
}
