import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CeremonyError } from '../ceremony.ts';
import { writeThrough } from '../files.ts';
import { rootKeyReference } from './root-keys.ts';

const rootFile = z.object({
  version: z.literal(1),
  /** DER. */
  certificate: z.base64(),
  key: rootKeyReference,
  /** Number of the last CRL; 0 before the first. */
  crlNumber: z.number().int().min(0),
  /** All certificates that this root signed, oldest first. */
  issued: z.array(
    z.object({
      /** SHA-256 of the request, hexadecimal. */
      request: z.string(),
      certificate: z.base64(),
      at: z.iso.datetime(),
    }),
  ),
});
export type RootFile = z.infer<typeof rootFile>;

const fileName = 'root.json';

export async function readRootFile(directory: string): Promise<RootFile | undefined> {
  const path = join(directory, fileName);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const parsed = rootFile.safeParse(parseJson(text));
  if (!parsed.success) throw new CeremonyError(`${path} is not the file of a root.`);
  return parsed.data;
}

/** Replaces the file atomically. No lock is needed: a ceremony of the root runs alone. */
export async function writeRootFile(directory: string, file: RootFile): Promise<void> {
  const draft = join(directory, `draft-${randomBytes(4).toString('hex')}`);
  try {
    await writeThrough(draft, `${JSON.stringify(file, null, 2)}\n`, 0o600);
    await rename(draft, join(directory, fileName));
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Refuses the folder of a service: the root has its own folder.
 * @throws CeremonyError
 */
export async function refuseServiceFolder(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  if (names.some((name) => /^(authorities|request-).*\.json$/.test(name))) {
    throw new CeremonyError(`${directory} belongs to a service: the root has a folder of its own.`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
