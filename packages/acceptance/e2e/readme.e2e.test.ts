import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { codeBlocks } from './support/readme.ts';
import { joinScene } from './support/scene.ts';
import { projectRoot, runProgram } from './support/shell.ts';

const scene = await disposeAfterAll(joinScene());

/** Says which command failed: `set -e` alone ends without a word. */
const guarded = (blocks: string[]) =>
  ['set -eEuo pipefail', 'trap \'echo "failed: $BASH_COMMAND" >&2\' ERR', ...blocks].join('\n');

describe('the README', () => {
  it('has a walk with curl that goes all the way, line by line', async () => {
    const blocks = await codeBlocks(join(projectRoot, 'README.md'), 'bash', '# walk');
    expect(blocks.length).toBeGreaterThan(3);
    const walk = await runProgram('bash', ['-c', guarded(blocks)], {
      env: { ...process.env, RUBRICA_HOME: scene.stack.home },
    });
    expect(walk, walk.stderr).toMatchObject({ code: 0 });
    for (const seen of [
      '"status":"REGISTERED"',
      'DUPLICATED_REFERENCE_TRANSACTION',
      '"status":"GENERATED"',
      '"correctableFields":["fingerCode"]',
      '"status":"CANCELLED"',
      '"type":"TRADITIONAL_SIGNATURE"',
      'subject=',
    ]) {
      expect(walk.stdout).toContain(seen);
    }
    expect(walk.stdout).not.toContain('WARNING');
  });
});

describe('the README of the operators’ procedures', () => {
  it('has a program that type-checks and runs', async () => {
    const readme = join(projectRoot, 'apps/gateway/src/operators/README.md');
    const [program, ...others] = await codeBlocks(readme, 'ts', '// operators');
    expect(others).toEqual([]);
    // Under the project, where its imports resolve as in a dashboard that has installed them.
    await mkdir(join(projectRoot, '.rubrica'), { recursive: true });
    const folder = await mkdtemp(join(projectRoot, '.rubrica', 'readme-'));
    try {
      await writeFile(join(folder, 'operators.ts'), program ?? '');
      const config = { extends: join(projectRoot, 'tsconfig.base.json'), include: ['operators.ts'] };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
      const tsc = join(projectRoot, 'node_modules/.bin/tsc');
      expect(await runProgram(tsc, ['-p', folder])).toMatchObject({ code: 0, stdout: '' });
      const { reference } = await scene.partners.sandbox.accepted();
      await scene.partners.sandbox.reaches(reference, 'GENERATED');
      const stackFile = join(scene.stack.home, 'stack.json');
      const ran = await runProgram(process.execPath, [join(folder, 'operators.ts'), stackFile]);
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      expect(ran.stdout).toMatch(/^[1-9]\d* issued; the newest: \S+\n$/);
      expect(ran.stdout).toContain(reference);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
