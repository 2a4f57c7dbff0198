import { chmod, copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.ts';

/** Packages that Node and native packages link to, and the authorities of servers that services call. */
const runtimePackages = ['base-files', 'libc6', 'libgcc-s1', 'libstdc++6', 'ca-certificates', 'tzdata'];
/** A shell and its usual commands in one file, for building. */
const shellPackages = ['busybox-static'];

/** Parts of Debian's packages that no image reads. Licences (`copyright`) stay. */
const unused = [
  'usr/share/man',
  'usr/share/locale',
  'usr/share/lintian',
  'usr/share/bug',
  'usr/lib/x86_64-linux-gnu/gconv',
  'usr/lib/aarch64-linux-gnu/gconv',
  'usr/share/gcc',
  'usr/share/gdb',
  'usr/sbin',
];

/** Accounts without shell and home: root, and one unprivileged user with the number that public images of Node use. */
const accounts = {
  'etc/passwd':
    'root:x:0:0:root:/root:/sbin/nologin\nnode:x:1000:1000:node:/nonexistent:/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\n',
  'etc/group': 'root:x:0:\ntty:x:5:\nnode:x:1000:\nnogroup:x:65534:\n',
} as const;

export interface RootOptions {
  /** Folder for the root; emptied first. */
  readonly into: string;
  /** Folder that stores packages between runs: once they exist, no network is needed. */
  readonly packages: string;
  /** Path of the `node` that runs in it. */
  readonly node: string;
}

/** Creates a root with Node and its libraries from this machine's Debian: no shell, no package manager. */
export async function makeRuntimeRoot({ into, packages, node }: RootOptions): Promise<void> {
  await rm(into, { recursive: true, force: true });
  for (const folder of [
    'usr/bin',
    'usr/sbin',
    'usr/lib',
    'usr/lib64',
    'usr/local/bin',
    'var/lib/dpkg/status.d',
  ]) {
    await mkdir(join(into, folder), { recursive: true });
  }
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) await symlink(`usr/${name}`, join(into, name));
  await unpack(runtimePackages, { into, packages });
  for (const path of unused) await rm(join(into, path), { recursive: true, force: true });
  await mkdir(join(into, 'usr/sbin'));
  await dropDocumentation(join(into, 'usr/share/doc'));
  for (const folder of ['tmp', 'proc', 'sys', 'dev', 'run', 'root', 'var/cache', 'etc/ssl/certs']) {
    await mkdir(join(into, folder), { recursive: true });
  }
  await chmod(join(into, 'tmp'), 0o1777);
  await chmod(join(into, 'root'), 0o700);
  for (const [path, text] of Object.entries(accounts)) await writeFile(join(into, path), text);
  await writeFile(join(into, 'etc/ssl/certs/ca-certificates.crt'), await composeAuthorities(into));
  await copyFile(node, join(into, 'usr/local/bin/node'));
  await chmod(join(into, 'usr/local/bin/node'), 0o755);
}

/** Adds only `/bin/sh` to such a root. */
export async function addShell({ into, packages }: Omit<RootOptions, 'node'>): Promise<void> {
  await unpack(['dash'], { into, packages });
  await rm(join(into, 'usr/bin/sh'), { force: true });
  await symlink('dash', join(into, 'usr/bin/sh'));
}

/** Adds build tools to such a root: usual commands and npm. */
export async function addTools({ into, packages, npm }: Omit<RootOptions, 'node'> & { npm: string }) {
  await unpack(shellPackages, { into, packages });
  const commands = await run(join(into, 'bin/busybox'), ['--list']);
  const taken = new Set(await readdir(join(into, 'usr/bin')));
  const wanted = commands.split('\n').filter((name) => !taken.has(name));
  for (const name of wanted) await symlink('busybox', join(into, 'usr/bin', name));
  await mkdir(join(into, 'usr/local/lib/node_modules'), { recursive: true });
  await run('cp', ['-a', npm, join(into, 'usr/local/lib/node_modules/npm')]);
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(into, 'usr/local/bin/npm'));
}

/** Unpacks packages without running their scripts, which require a shell and do nothing necessary here. */
async function unpack(names: readonly string[], { into, packages }: { into: string; packages: string }) {
  await mkdir(packages, { recursive: true });
  const findFile = async (name: string) =>
    (await readdir(packages)).find((file) => file.startsWith(`${name}_`) && file.endsWith('.deb'));
  const missing: string[] = [];
  for (const name of names) if ((await findFile(name)) === undefined) missing.push(name);
  if (missing.length > 0)
    await run('apt-get', ['download', '-q', '-o', 'APT::Sandbox::User=root', ...missing], packages);
  for (const name of names) {
    const file = join(packages, (await findFile(name)) ?? '');
    const archive = join(packages, `${name}.tar`);
    await run('sh', ['-c', 'dpkg-deb --fsys-tarfile "$0" >"$1"', file, archive]);
    await run('tar', ['-x', '--keep-directory-symlink', '-f', archive, '-C', into]);
    await rm(archive);
    // Scanners look here for the packages of an image without dpkg.
    await writeFile(join(into, 'var/lib/dpkg/status.d', name), `${await run('dpkg-deb', ['-f', file])}\n`);
  }
}

async function dropDocumentation(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const others = entries.filter((entry) => !entry.isDirectory() && entry.name !== 'copyright');
  for (const { parentPath, name } of others) await rm(join(parentPath, name));
}

/** Composes the file that `update-ca-certificates`, a shell script, would write. */
async function composeAuthorities(root: string): Promise<string> {
  const folder = join(root, 'usr/share/ca-certificates/mozilla');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.crt')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map((text) => `${text.trimEnd()}\n`).join('');
}
