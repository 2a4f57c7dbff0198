import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { joinScene } from './support/scene.ts';
import { runProgram } from './support/shell.ts';
import { shownCode } from './support/shown-code.ts';

const scene = await disposeAfterAll(joinScene());

const shellBlocks = (path: string) => shownCode(scene.stack.info().baseUrl + path, 'bash');

describe.each(['/docs/en', '/docs/es'])('the first page of the documentation, %s', (path) => {
  it('leads a partner who pastes it, block by block, to a certificate', async () => {
    const [environment = '', ...blocks] = await shellBlocks(path);
    const { baseUrl } = scene.stack.info();
    expect(environment.split('\n')).toEqual([
      `export BASE_URL=${baseUrl}`,
      expect.stringMatching(/^export CLIENT_ID='.+'$/),
      expect.stringMatching(/^export CLIENT_SECRET='.+'$/),
    ]);
    const { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = scene.stack.info().partners.sandbox;
    const ran = await runProgram('bash', ['-c', ['set -euo pipefail', ...blocks].join('\n')], {
      cwd: scene.folder,
      env: { ...process.env, CLIENT_ID, CLIENT_SECRET },
    });
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain('"status":"REGISTERED"');
    expect(ran.stdout).toContain('2450010000');
    expect(ran.stdout).toContain('notAfter=');
  });
});

it.each(['en', 'es'])(
  'shows on the page of authentication, in %s, how a token is asked for',
  async (language) => {
    const blocks = await shellBlocks(`/docs/${language}/authentication`);
    const { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = scene.stack.info().partners.sandbox;
    const ran = await runProgram('bash', ['-c', ['set -euo pipefail', ...blocks].join('\n')], {
      env: { ...process.env, CLIENT_ID, CLIENT_SECRET },
    });
    expect(ran.stdout).toContain('"access_token":"');
  },
);
