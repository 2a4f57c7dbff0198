import { copyFile, mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Service } from '../programs.ts';
import { addShell, addTools, makeRuntimeRoot } from './debian-root.ts';
import { type Engine, imageOfRoot, openEngine, toolsEnvironment } from './engine.ts';
import { run } from './run.ts';

const checkout = resolve(import.meta.dirname, '..', '..', '..', '..');
const recipe = join(checkout, 'deploy', 'Dockerfile');
const tools = 'localhost/rubrica/tools';
const base = 'localhost/rubrica/base';
const baseWithShell = 'localhost/rubrica/base-with-shell';

/** Services that start their file checker through a shell, which limits the checker's memory. */
const needShell: readonly Service[] = ['intake'];

export interface BuiltImage {
  readonly service: Service;
  /** Name and tag in the store. */
  readonly name: string;
  /** Size of all files of its root, in bytes. */
  readonly bytes: number;
  /** Digest of its configuration and therefore of all its layers. */
  readonly id: string;
  readonly billOfMaterials: string;
  /** Path of the archive, if requested. */
  readonly archive?: string;
}

export interface ImagesOptions {
  readonly services: readonly Service[];
  /** Folder for the store, Debian's packages and the results. */
  readonly folder: string;
  /** True to write each image as a file too, for `podman load`, `skopeo copy` or `ctr image import`. */
  readonly archives: boolean;
  onStep(text: string): void;
}

/** Builds the base from this machine's Debian and this checkout's Node, then each image with deploy/Dockerfile. */
export async function buildImages(options: ImagesOptions): Promise<BuiltImage[]> {
  const { folder, onStep } = options;
  await mkdir(folder, { recursive: true });
  const engine = openEngine(folder);
  const about = await release();
  onStep('base images, of Debian packages and Node');
  await makeBases(engine, folder, about.timestamp);
  const images: BuiltImage[] = [];
  for (const service of options.services) {
    onStep(service);
    images.push(await buildOne(engine, { ...options, service, about }));
  }
  return images;
}

/** Opens the root file system of an image, which stays mounted until `close`. */
export async function openImage(folder: string, name: string) {
  const { buildah } = openEngine(folder);
  const container = await buildah('from', '--pull-never', name);
  const root = await buildah('mount', container);
  return { root, close: () => buildah('rm', container) };
}

/**
 * Reads the values for labels. Times in the image are those of the commit, so that the same commit produces the same
 * files.
 */
async function release() {
  const { version, repository } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly repository: { readonly url: string };
  };
  const git = (...args: string[]) => run('git', args, checkout);
  return {
    version,
    source: repository.url.replace(/^git\+/, ''),
    revision: await git('rev-parse', 'HEAD'),
    timestamp: await git('log', '-1', '--format=%ct'),
  };
}

async function makeBases(engine: Engine, folder: string, timestamp: string): Promise<void> {
  const into = join(folder, 'root');
  const packages = join(folder, 'packages');
  await makeRuntimeRoot({ into, packages, node: join(checkout, 'node_modules/node/bin/node') });
  await imageOfRoot(engine, { root: into, name: base, timestamp });
  await addShell({ into, packages });
  await imageOfRoot(engine, { root: into, name: baseWithShell, timestamp });
  const npm = join(dirname(await realpath(await run('sh', ['-c', 'command -v npm']))), '..');
  await addTools({ into, packages, npm: resolve(npm) });
  await imageOfRoot(engine, { root: into, name: tools, timestamp, environment: toolsEnvironment });
  await rm(into, { recursive: true });
}

async function buildOne(
  engine: Engine,
  options: ImagesOptions & { service: Service; about: Awaited<ReturnType<typeof release>> },
): Promise<BuiltImage> {
  const { service, about } = options;
  const name = `localhost/rubrica/${service}:${about.version}`;
  const values = {
    NODE_IMAGE: tools,
    BASE_IMAGE: needShell.includes(service) ? baseWithShell : base,
    SERVICE: service,
    VERSION: about.version,
    REVISION: about.revision,
    SOURCE: about.source,
  };
  // Packages in npm's cache are reused; npm downloads the others.
  const cache = await run('npm', ['config', 'get', 'cache'], checkout);
  await engine.buildah(
    'bud',
    ...['--isolation', 'chroot', '--pull-never', '--layers=false', '--timestamp', about.timestamp],
    ...['--volume', `${cache}:/root/.npm`],
    ...['--file', recipe, '--ignorefile', `${recipe}.dockerignore`],
    ...Object.entries(values).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]),
    ...['--tag', name, checkout],
  );
  return { ...(await exportImage(engine, { ...options, name })), service, name };
}

async function exportImage(engine: Engine, options: ImagesOptions & { service: Service; name: string }) {
  const { service, folder, name, archives } = options;
  const billOfMaterials = join(folder, `${service}.cdx.json`);
  const { root, close } = await openImage(folder, name);
  try {
    await copyFile(join(root, 'app/sbom.cdx.json'), billOfMaterials);
    const bytes = Number((await run('du', ['-sb', '--apparent-size', root])).split('\t')[0]);
    const id = await engine.buildah('inspect', '--type', 'image', '--format', '{{.FromImageID}}', name);
    if (!archives) return { bytes, id, billOfMaterials };
    const archive = join(folder, `${service}.oci.tar`);
    await rm(archive, { force: true });
    await engine.buildah('push', '--quiet', name, `oci-archive:${archive}:rubrica/${service}`);
    return { bytes, id, billOfMaterials, archive };
  } finally {
    await close();
  }
}
