import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const authorityRecord = z.object({
  name: z.string().regex(/^[a-z0-9-]{1,50}$/),
  kind: z.enum(['root', 'issuing']),
  /** Name of the authority above; null for a root. */
  parent: z.string().nullable(),
  /** Signs new certificates. */
  active: z.boolean(),
  /** DER. */
  certificate: z.base64(),
  /** PKCS#8, sealed to this service. */
  sealedKey: z.string(),
});
export type AuthorityRecord = z.infer<typeof authorityRecord>;

const authorityFile = z.object({ version: z.literal(1), authorities: z.array(authorityRecord).min(2) });

const fileName = 'authorities.json';

/** The authorities of a folder; undefined where none were made yet. @throws Error that names the file */
export async function readAuthorityFile(directory: string): Promise<AuthorityRecord[] | undefined> {
  const path = join(directory, fileName);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const parsed = authorityFile.safeParse(parseJson(text));
  if (!parsed.success) throw new Error(`${path} is not a file of authorities`);
  return parsed.data.authorities;
}

/**
 * Writes a folder's first authorities, whole or not at all: a crash leaves a draft that nobody reads. Of two
 * processes at once one wins.
 * @returns false when there were authorities already; theirs stand.
 */
export async function writeAuthorityFile(
  directory: string,
  authorities: readonly AuthorityRecord[],
): Promise<boolean> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = join(directory, `draft-${process.pid}-${randomBytes(4).toString('hex')}`);
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ version: 1, authorities }, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    // A link, unlike a rename, fails where the name is taken.
    await link(draft, join(directory, fileName));
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
