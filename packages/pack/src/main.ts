import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { preparePackage, restorePackage, writePackage } from './lay-out.ts';

/**
 * Steps to run in a library's folder. `prepack` and `postpack` run before and after `npm pack`. `tarball <target
 * folder>` leaves the library's folder unchanged and prints the tarball's path.
 */
const library = process.cwd();
const steps: Readonly<Record<string, () => void>> = {
  prepack: () => preparePackage(library),
  postpack: () => restorePackage(library),
  tarball: () => makeTarball(resolve(process.argv[3] ?? '.')),
};

const step = steps[process.argv[2] ?? ''];
if (step === undefined) throw new Error(`one of ${Object.keys(steps).join(', ')} is asked for`);
step();

function makeTarball(target: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'pack-'));
  try {
    writePackage(library, folder);
    const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: folder });
    process.stdout.write(`${join(target, packed.toString().trim())}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
