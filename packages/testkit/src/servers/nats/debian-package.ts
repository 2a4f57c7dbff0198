import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Unpacks nats-server from the package of the distribution, or of a release of Debian, into `target`, without root. apt
 * gets its own lists, cache and state, and for a release its own sources. The package is only opened, never installed.
 */
export async function unpackDebianPackage(options: {
  target: string;
  /** Release such as `trixie`. */
  suite?: string;
  onProgress?: ((text: string) => void) | undefined;
}): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'rubrica-apt-'));
  try {
    // As root, apt uses its own user for downloads, which must be able to enter.
    await chmod(work, 0o755);
    const settings = [...(await aptSettings(work)), ...(await writeSources(work, options.suite))];
    options.onProgress?.('reading the package lists (once)');
    await run('apt-get', [...settings, '-q', 'update'], { cwd: work, timeout: 180_000 });
    options.onProgress?.('downloading nats-server (once)');
    await run('apt-get', [...settings, '-q', 'download', 'nats-server'], { cwd: work, timeout: 180_000 });
    const file = (await readdir(work)).find((name) => name.endsWith('.deb'));
    if (file === undefined) throw new Error('apt-get download gave no package');
    await run('dpkg-deb', ['-x', join(work, file), join(work, 'unpacked')]);
    await install(join(work, 'unpacked'), options.target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function aptSettings(work: string): Promise<string[]> {
  const folders = {
    lists: join(work, 'lists', 'partial'),
    archives: join(work, 'cache', 'archives', 'partial'),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  return [
    `Dir::State::Lists=${join(work, 'lists')}`,
    `Dir::Cache=${join(work, 'cache')}`,
    'Debug::NoLocking=true',
    'Acquire::Languages=none',
    'Acquire::Retries=2',
  ].flatMap((setting) => ['-o', setting]);
}

/** Sources are signed with the keys of every Debian; other systems' apt refuses them. */
async function writeSources(work: string, suite: string | undefined): Promise<string[]> {
  if (suite === undefined) return [];
  const parts = join(work, 'parts');
  await mkdir(parts);
  const list = join(work, 'debian.sources');
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg';
  const source = { Types: 'deb', URIs: 'http://deb.debian.org/debian', Suites: suite, Components: 'main' };
  const lines = Object.entries({ ...source, 'Signed-By': keys }).map(
    ([name, value]) => `${name}: ${value}\n`,
  );
  await writeFile(list, lines.join(''));
  // A registry that does not answer must not delay a first start for long.
  const settings = [
    `Dir::Etc::SourceList=${list}`,
    `Dir::Etc::SourceParts=${parts}`,
    'Acquire::http::Timeout=15',
  ];
  return settings.flatMap((setting) => ['-o', setting]);
}

async function install(unpacked: string, target: string): Promise<void> {
  await mkdir(join(target, '..'), { recursive: true });
  const draft = `${target}.${process.pid}`;
  const places = ['usr/sbin/nats-server', 'usr/bin/nats-server', 'sbin/nats-server'];
  for (const place of places) {
    const copied = await copyFile(join(unpacked, place), draft).then(
      () => true,
      () => false,
    );
    if (!copied) continue;
    await chmod(draft, 0o755);
    await rename(draft, target);
    return;
  }
  throw new Error('the package nats-server holds no nats-server program where one was expected');
}
