import { expect, it } from 'vitest';
import { publishedManifest } from './published-manifest.ts';

const own = {
  name: '@rubrica/some',
  version: '1.2.3',
  private: true,
  license: 'SEE LICENSE IN LICENSE',
  files: ['dist'],
  exports: { '.': './src/index.ts', './inner': './scripts/inner.ts' },
  scripts: { prepack: 'node x.ts' },
  dependencies: { '@trpc/client': '11.0.0' },
  devDependencies: { zod: '4.0.0' },
};
const repository = { type: 'git', url: 'git+https://git.example/some.git' };

it('keeps what others need, and nothing that serves work in the repository', () => {
  expect(publishedManifest(own, { repository }, 'packages/some')).toEqual({
    name: '@rubrica/some',
    version: '1.2.3',
    license: 'SEE LICENSE IN LICENSE',
    files: ['dist'],
    dependencies: { '@trpc/client': '11.0.0' },
    repository: { ...repository, directory: 'packages/some' },
    main: './dist/cjs/index.js',
    types: './dist/cjs/index.d.ts',
    exports: {
      '.': {
        import: { types: './dist/esm/index.d.ts', default: './dist/esm/index.js' },
        require: { types: './dist/cjs/index.d.ts', default: './dist/cjs/index.js' },
      },
      './package.json': './package.json',
    },
  });
});
