import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { programs, type Service } from '../programs.ts';
import { buildImages } from './build-images.ts';
import { ImageFailure } from './run.ts';

const usage = `npm run images -- [<service>…] [--out <folder>] [--archive]

Builds the images of these services (${Object.keys(programs).join(', ')}), or of all,
by deploy/Dockerfile, without a registry: on Debian's packages and the Node of the lock file.

  --out <folder>   for the store and the bills of materials; .rubrica/images by default
  --archive        also writes <service>.oci.tar, for podman load, skopeo copy, ctr image import

Needs Debian, root, and: apt-get install -y --no-install-recommends buildah
The network is used for what is missing in npm's cache and in <folder>/packages.
`;

/** Limit in MB; a larger image contains files that a service does not need. */
const maxMb = 260;

const { values, positionals } = parseArgs({
  options: { out: { type: 'string' }, archive: { type: 'boolean' }, help: { type: 'boolean' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in programs));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) process.stderr.write(`No service is called ${unknown.join(', ')}.\n\n`);
  process.stderr.write(usage);
  process.exit(values.help ? 0 : 2);
}
const began = Date.now();

function onStep(text: string): void {
  const seconds = Math.round((Date.now() - began) / 1000);
  process.stdout.write(`${String(seconds).padStart(4)} s  ${text}\n`);
}

try {
  const images = await buildImages({
    services: (positionals.length > 0 ? positionals : Object.keys(programs)) as Service[],
    folder: resolve(values.out ?? join('.rubrica', 'images')),
    archives: values.archive ?? false,
    onStep,
  });
  onStep('done');
  for (const { name, bytes, id, billOfMaterials, archive } of images) {
    process.stdout.write(
      `${name}  ${Math.ceil(bytes / 1e6)} MB  ${id.slice(0, 19)}  ${[billOfMaterials, archive ?? ''].join('  ').trimEnd()}\n`,
    );
  }
  const tooLarge = images.filter(({ bytes }) => bytes > maxMb * 1e6);
  for (const { name } of tooLarge) process.stderr.write(`${name} is larger than ${maxMb} MB.\n`);
  process.exitCode = tooLarge.length > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof ImageFailure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
