/** As much of a library's own `package.json` as goes into the one that others get. */
export interface OwnManifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly [field: string]: unknown;
}

/** Of the repository's own `package.json`. */
export interface RootManifest {
  readonly repository: { readonly type: string; readonly url: string };
}

/** What serves work in the repository alone. */
const internal = ['private', 'scripts', 'devDependencies', 'exports'];

/** Who resolves by `exports` reads those; `main` and `types` are for who does not: TypeScript's `node10`, old bundlers. */
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

/** The `package.json` of the package that others install. `directory` is the library's, from the repository's top. */
export function publishedManifest(own: OwnManifest, { repository }: RootManifest, directory: string): object {
  const kept = Object.fromEntries(Object.entries(own).filter(([field]) => !internal.includes(field)));
  return { ...kept, repository: { ...repository, directory }, ...entries };
}
