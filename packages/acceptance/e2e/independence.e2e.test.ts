import { execFile } from 'node:child_process';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import { scratchDirectory } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { openScene } from './support/scene.ts';
import { projectRoot, runProgram } from './support/shell.ts';

const succeeds = async (program: string, args: string[], cwd: string) => {
  const { code, stdout, stderr } = await runProgram(program, args, { cwd });
  expect(code, `${program} ${args.join(' ')}\n${stdout}\n${stderr}`).toBe(0);
};

/** One service and the packages it stands on, with nothing above it that could lend it a module. */
async function pruneAndInstall(service: ServiceName, into: string): Promise<void> {
  const turbo = join(projectRoot, 'node_modules/.bin/turbo');
  await succeeds(turbo, ['prune', `@rubrica/${service}`, '--out-dir', into], projectRoot);
  // What this project's own install has just brought is not asked for again: a registry out of reach costs minutes.
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await succeeds('npm', ['ci', ...flags], into);
}

/** An apps folder in which only this service is the pruned one. */
async function mixedApps(folder: string, service: ServiceName, pruned: string): Promise<string> {
  const apps = join(folder, 'apps');
  await mkdir(apps);
  for (const name of services) {
    await symlink(join(name === service ? pruned : projectRoot, 'apps', name), join(apps, name));
  }
  return apps;
}

describe('a service pruned into an empty folder, with production dependencies only', () => {
  it.each(services)(
    '%s works there while the other four come from the repository',
    {
      timeout: 300_000,
    },
    async (service) => {
      await using scratch = await scratchDirectory(`pruned-${service}`);
      const pruned = join(scratch.path, 'pruned');
      await pruneAndInstall(service, pruned);
      // An app whose types another one is built against is pruned with it; at run time it must not be missed.
      for (const other of services.filter((name) => name !== service)) {
        await rm(join(pruned, 'apps', other), { recursive: true, force: true });
      }
      await using scene = await openScene({ appsDirectory: await mixedApps(scratch.path, service, pruned) });
      const { pid } = scene.stack.info().services[service];
      const { stdout: files } = await promisify(execFile)('ls', ['-l', `/proc/${pid}/cwd`]);
      expect(files).toContain(join(pruned, 'apps', service));
      const { sandbox } = scene.partners;
      const { reference } = await sandbox.accepted();
      await sandbox.hears(reference, 'certificate.issued');
      const terms = await scene.call({
        path: '/gateway/collector/terms-and-conditions/by-type',
        query: { type: 'TRADITIONAL_SIGNATURE' },
      });
      expect(terms.status).toBe(200);
      await scene.assertUntroubled();
    },
  );
});
