import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { packed, run, top } from './libraries.ts';

/** A partner's program, which both kinds of module can be. It makes no call: the SDK's own tests do. */
const program = `
import { createRubrica, type Status, verifyWebhook, WebhookError, type WebhookEvent } from '@rubrica/sdk';

const rubrica = createRubrica({ baseUrl: 'https://example.com', apiToken: 'rbk_a' });
export const statusOf = async (referenceTransaction: string): Promise<Status> =>
  (await rubrica.regular.status({ referenceTransaction })).status;
export const serialNumberOf = (event: WebhookEvent): string | undefined =>
  event.type === 'certificate.issued' ? event.body.serialNumber : undefined;
// @ts-expect-error there is no such method
rubrica.regular.cancel;
verifyWebhook({ payload: '{}', headers: {}, secrets: [] }).catch((error: unknown) => {
  console.log(error instanceof WebhookError ? error.fault : error);
});
`;

/** Today's compiler, and one of 2024, which still resolves as `node10`. */
const { resolve } = createRequire(createRequire(import.meta.url).resolve('@arethetypeswrong/core'));
const compilers = {
  today: [join(top, 'node_modules/.bin/tsc')],
  'of 2024': [process.execPath, resolve('typescript/lib/tsc.js')],
} as const;

interface Project {
  readonly resolution: string;
  readonly module: string;
  readonly types: keyof typeof surroundings;
  readonly file: string;
  readonly made: string;
  readonly compiler: keyof typeof compilers;
}

const projects: readonly Project[] = [
  {
    resolution: 'node10',
    module: 'commonjs',
    types: 'node',
    file: 'program.ts',
    made: 'program.js',
    compiler: 'of 2024',
  },
  {
    resolution: 'node16',
    module: 'node16',
    types: 'browser',
    file: 'program.mts',
    made: 'program.mjs',
    compiler: 'of 2024',
  },
  {
    resolution: 'node16',
    module: 'node16',
    types: 'node',
    file: 'program.cts',
    made: 'program.cjs',
    compiler: 'of 2024',
  },
  {
    resolution: 'bundler',
    module: 'esnext',
    types: 'browser',
    file: 'program.mts',
    made: 'program.mjs',
    compiler: 'of 2024',
  },
  {
    resolution: 'node16',
    module: 'node16',
    types: 'node',
    file: 'program.mts',
    made: 'program.mjs',
    compiler: 'today',
  },
  {
    resolution: 'node16',
    module: 'node16',
    types: 'browser',
    file: 'program.cts',
    made: 'program.cjs',
    compiler: 'today',
  },
  {
    resolution: 'bundler',
    module: 'esnext',
    types: 'browser',
    file: 'program.mts',
    made: 'program.mjs',
    compiler: 'today',
  },
];

/** For a server without types of browsers, and for a page. */
const surroundings = {
  node: { lib: ['es2022'], types: ['node'] },
  browser: { lib: ['es2022', 'dom'], types: [] },
} as const;

const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, target: 'es2022' };

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'resolution-'));
  const installed = join(home, 'node_modules/@rubrica/sdk');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', await packed('sdk', home), '--strip-components=1', '-C', installed]);
  // What a partner's own project has beside the SDK.
  for (const name of ['@types', 'undici-types'])
    await symlink(join(top, 'node_modules', name), join(home, 'node_modules', name));
});
afterAll(() => rm(home, { recursive: true }));

test.each(projects)(
  'a strict project compiles and runs: $resolution, $file, types of $types, compiler $compiler',
  async ({ resolution, compiler, module, file, made, types }) => {
    const folder = await mkdtemp(join(home, 'project-'));
    const compilerOptions = { ...strict, ...surroundings[types], module, moduleResolution: resolution };
    await writeFile(join(folder, 'package.json'), '{}');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
    await writeFile(join(folder, file), program);
    const [command, ...first] = compilers[compiler];
    const compiled = await run(command, [...first, '-p', '.'], { cwd: folder }).catch((error) => error);
    expect(compiled.stdout).toBe('');
    const { stdout } = await run(process.execPath, [made], { cwd: folder });
    expect(stdout).toBe('MISSING_HEADER\n');
  },
);

it('is bundled into one file that runs alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bundled-'));
  try {
    await writeFile(join(home, 'entry.ts'), program);
    const bundle = await rolldown({ input: join(home, 'entry.ts') });
    await bundle.write({ file: join(folder, 'program.mjs') });
    const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: folder });
    expect(stdout).toBe('MISSING_HEADER\n');
  } finally {
    await rm(folder, { recursive: true });
  }
});
