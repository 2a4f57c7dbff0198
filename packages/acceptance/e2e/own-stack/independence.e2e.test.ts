import { readdir, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import { scratchDirectory } from '@rubrica/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leadsToCertificate } from '../support/leads-to-certificate.ts';
import { buildInto, installProduction, pruneInto } from '../support/production-install.ts';
import { openScene, type Scene } from '../support/scene.ts';

type Deployable = ServiceName | 'console';
const deployables: readonly Deployable[] = [...services, 'console'];

describe('each service, and the console, pruned into an empty folder, with production dependencies only', () => {
  const resources = new AsyncDisposableStack();
  const folders = {} as Record<Deployable, string>;
  let scene: Scene;

  beforeAll(async () => {
    const prune = async (service: Deployable) => {
      const scratch = resources.use(await scratchDirectory(`pruned-${service}`));
      const pruned = join(scratch.path, 'pruned');
      await pruneInto(pruned, `@rubrica/${service}`);
      await installProduction(pruned);
      // An app whose types another one is built against is pruned with it; at run time it must not be missed.
      for (const other of deployables.filter((name) => name !== service)) {
        await rm(join(pruned, 'apps', other), { recursive: true, force: true });
      }
      folders[service] = join(pruned, 'dist');
      await buildInto(folders[service], { service, root: pruned });
      // As in an image: what was built, and the packages.
      for (const sources of ['apps', 'packages']) await rm(join(pruned, sources), { recursive: true });
    };
    await Promise.all(deployables.map(prune));
    scene = resources.use(await openScene({ folders }));
  });
  afterAll(() => resources.disposeAsync());

  it.each(services)('%s runs there', async (service) => {
    const { pid } = scene.stack.info().services[service];
    expect(await readlink(`/proc/${pid}/cwd`)).toBe(await realpath(folders[service]));
  });

  it('the console runs there, with its pages beside it', async () => {
    const { consoleUrl } = scene.stack.info();
    expect(await readdir(folders.console)).toContain('pages');
    const page = await fetch(consoleUrl);
    expect(await page.text()).toContain('<div id="root">');
  });

  it('the gateway runs there with the documentation beside it', async () => {
    const page = await fetch(`${scene.stack.info().baseUrl}/docs/es`);
    expect([page.status, page.headers.get('content-language')]).toEqual([200, 'es']);
  });

  it('a request leads from one to the other to its certificate', async () => {
    await leadsToCertificate(scene);
  });
});
