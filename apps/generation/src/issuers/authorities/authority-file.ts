import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const base = {
  name: z.string().regex(/^[a-z0-9-]{1,50}$/),
  kind: z.enum(['root', 'issuing']),
  /** Name of the parent authority; null for a root. */
  parent: z.string().nullable(),
  /** DER. */
  certificate: z.base64(),
};

export const keyReference = z.discriminatedUnion('kind', [
  /** PKCS#8, sealed to this service. */
  z.object({ kind: z.literal('sealed'), sealedKey: z.string() }),
  /** Key in a PKCS#11 token, under this label. */
  z.object({ kind: z.literal('pkcs11'), label: z.string() }),
  /** Key of a root that no running service can open. */
  z.object({ kind: z.literal('elsewhere') }),
]);
/** Location of a private key. */
export type KeyReference = z.infer<typeof keyReference>;

const authorityRecord = z.object({
  ...base,
  /** CRL from the last answer of an offline root, DER. */
  crl: z.base64().optional(),
  key: keyReference,
  /** Start of signing new certificates, until a later authority takes over; null for a root. */
  activeFrom: z.iso.datetime().nullable(),
  /** Delegated OCSP responder. Null for a root, and until the first one exists. */
  responder: z.object({ certificate: z.base64(), key: keyReference }).nullable(),
});
export type AuthorityRecord = z.infer<typeof authorityRecord>;

const currentFile = z.object({ version: z.literal(2), authorities: z.array(authorityRecord).min(2) });

/** Format of the first releases: sealed keys only, no responders, one authority that signs. */
const firstFile = z
  .object({
    version: z.literal(1),
    authorities: z.array(z.object({ ...base, active: z.boolean(), sealedKey: z.string() })).min(2),
  })
  .transform(({ authorities }) => ({
    authorities: authorities.map(
      ({ active, sealedKey, ...record }): AuthorityRecord => ({
        ...record,
        key: { kind: 'sealed', sealedKey },
        activeFrom: record.kind === 'issuing' && active ? new Date(0).toISOString() : null,
        responder: null,
      }),
    ),
  }));

const anyFile = z.union([currentFile, firstFile]);

/** All authorities of a folder in one revision. */
export interface AuthorityFile {
  /** Revision number; 1 for the first. */
  readonly revision: number;
  readonly authorities: readonly AuthorityRecord[];
}

function formatFileName(revision: number) {
  return revision === 1 ? 'authorities.json' : `authorities-${revision}.json`;
}

const pattern = /^authorities(?:-([1-9]\d{0,8}))?\.json$/;

/** Finds the number of the newest file; 0 where there is none. */
export async function newestRevision(directory: string): Promise<number> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const revisions = names.map((name) => {
    const match = pattern.exec(name);
    return match === null ? 0 : Number(match[1] ?? 1);
  });
  return Math.max(0, ...revisions);
}

/**
 * Reads the newest revision of a folder; undefined without authorities.
 * @throws Error that names the file
 */
export async function readAuthorityFile(directory: string): Promise<AuthorityFile | undefined> {
  const revision = await newestRevision(directory);
  if (revision === 0) return undefined;
  const path = join(directory, formatFileName(revision));
  const parsed = anyFile.safeParse(parseJson(await readFile(path, 'utf8')));
  if (!parsed.success) throw new Error(`${path} is not a file of authorities`);
  return { revision, authorities: parsed.data.authorities };
}

/**
 * Writes the next revision to a new file, atomically: a crash leaves a draft that is never read. Files are never
 * changed or removed, so no change loses a key. If two processes write the same revision, one wins.
 * @returns false when that revision exists already
 */
export async function writeAuthorityFile(
  directory: string,
  { revision, authorities }: AuthorityFile,
): Promise<boolean> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = join(directory, `draft-${process.pid}-${randomBytes(4).toString('hex')}`);
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ version: 2, authorities }, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    // A link, unlike a rename, fails where the name exists.
    await link(draft, join(directory, formatFileName(revision)));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
