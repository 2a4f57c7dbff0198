import { mkdtemp, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { openPkcs12 } from './support/pkcs12.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';
import { projectRoot, runProgram } from './support/shell.ts';

const scene = await closeAfterAll(joinScene());

interface Language {
  readonly name: string;
  readonly first: string;
  readonly linked: string;
  /** Ends well where the machine can run them. */
  readonly needs: readonly string[];
  readonly packages: string;
}

const languages: readonly Language[] = [
  {
    name: 'Python',
    first: 'python/first_certificate.py',
    linked: 'python/linked_partner.py',
    needs: ['python3', '-c', 'import cryptography'],
    packages: 'python3-cryptography',
  },
  {
    name: 'Java',
    first: 'java/FirstCertificate.java',
    linked: 'java/LinkedPartner.java',
    needs: ['javac', '-version'],
    packages: 'default-jdk-headless',
  },
];

async function skipUnlessThere({ needs, packages }: Language, { skip }: TestContext) {
  const [program = '', ...args] = needs;
  const { code } = await runProgram(program, args);
  skip(code !== 0, `${needs.join(' ')} does not work here: install ${packages}`);
}

/** As the README says, typed on a machine whose own Node.js comes first. */
function runByNpm(...args: string[]) {
  const PATH = ['/usr/bin', process.env.PATH].join(delimiter);
  return runProgram('npm', ['run', '--silent', 'example', '-w', 'packages/sdk', '--', ...args], {
    env: { ...process.env, PATH, RUBRICA_HOME: scene.stack.home, LC_ALL: 'C.UTF-8' },
  });
}

const serialNumberIn = (text: string) => /serial number ([0-9A-F]+)/.exec(text)?.[1];

describe.each(languages)('the programs in $name', (language) => {
  it('fetch a first certificate', async (context) => {
    await skipUnlessThere(language, context);
    const path = join(await mkdtemp(join(scene.folder, 'program-')), 'first.p12');
    const ran = await runByNpm(language.first, path);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const [, password = ''] = /opens with (\S+)/.exec(ran.stdout) ?? [];
    const { leaf } = await openPkcs12(scene.folder, await readFile(path, 'base64'), password);
    expect(leaf.serialNumber).toBe(serialNumberIn(ran.stdout));
    expect(leaf.subject).toContain('2450010000');
  });

  it('send a PDF as evidence, verify the webhook and open what it brings', async (context) => {
    await skipUnlessThere(language, context);
    const path = join(await mkdtemp(join(scene.folder, 'program-')), 'linked.p12');
    const contract = join(projectRoot, 'packages/sdk/programs/contract.pdf');
    const ran = await runByNpm(language.linked, contract, path);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const { leaf } = await openPkcs12(scene.folder, await readFile(path, 'base64'), 'Galapagos 2026');
    expect(leaf.serialNumber).toBe(serialNumberIn(ran.stdout));
    const [reference = ''] = /^\w+-[\w-]+(?= is REGISTERED)/m.exec(ran.stdout) ?? [];
    expect(await scene.partners.sandbox.reaches(reference, 'GENERATED')).toMatchObject({ observations: [] });
  });
});
